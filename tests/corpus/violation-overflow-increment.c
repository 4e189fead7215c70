// Feature: signed overflow of ++ in a loop
// Ended: signed overflow
// Gcc: no
int main(void) {
  int i = 2147483600;
  for (;;) {
    i++; // ends here
  }
}
