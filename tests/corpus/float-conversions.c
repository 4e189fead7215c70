// Feature: conversions between float, double and long double
// Exit: 0
// Output: 0.33333333333333331 0.333333343
// Output: 0 1
// Output: 0.100000001
// Output: 0
// Output: 0.10000000149011612
// Output: 16777216
// Output: 1
int printf(const char *, ...);

int main(void) {
  double third = 1.0 / 3.0;
  float narrow = third;
  double back = narrow;
  long double wide = third;
  printf("%.17g %.9g\n", third, narrow);
  printf("%d %d\n", back == third, (double)wide == third);
  printf("%.9g\n", (float)0.1);
  printf("%d\n", 0.1f == 0.1);
  printf("%.17g\n", (double)0.1f);
  printf("%.9g\n", 16777216.0f + 1.0f);
  printf("%d\n", (float)16777217 == 16777216.0f);
  return 0;
}
