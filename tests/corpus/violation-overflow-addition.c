// Feature: signed overflow of an addition
// Ended: signed overflow
// Output: 2147483647
// Gcc: no
int printf(const char *, ...);

int main(void) {
  int n = 2147483646;
  n = n + 1;
  printf("%d\n", n);
  n = n + 1; // ends here
  printf("%d\n", n);
  return 0;
}
