// Feature: writing through a null pointer
// Ended: invalid dereference
// Gcc: no
int main(void) {
  int *p = 0;
  if (p == 0) *p = 1; // ends here
  return 0;
}
