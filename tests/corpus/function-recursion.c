// Feature: direct recursion
// Exit: 0
// Output: 3628800 610 9 21
int printf(const char *, ...);

static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

int main(void) {
  printf("%d %d %d %d\n", factorial(10), fibonacci(15), ackermann(2, 3), gcd(1071, 462));
  return 0;
}
