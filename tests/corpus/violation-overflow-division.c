// Feature: the one division that overflows
// Ended: signed overflow
// Output: 1073741824
// Gcc: no
int printf(const char *, ...);

int main(void) {
  int low = -2147483647 - 1, minus = -1;
  printf("%d\n", low / (minus - 1));
  low = low / minus; // ends here
  return 0;
}
