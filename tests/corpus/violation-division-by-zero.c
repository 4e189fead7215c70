// Feature: integer division by zero
// Ended: division by zero
// Output: 5
// Gcc: no
int printf(const char *, ...);

int main(void) {
  int n = 10;
  for (int d = 2; d >= 0; d -= 2) {
    n = n / d; // ends here
    printf("%d\n", n);
  }
  return 0;
}
