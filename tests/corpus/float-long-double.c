// Feature: long double has more digits than double
// Exit: 0
// Output: 64 64
// Output: 0.33333333333333333334
// Output: 0
// Output: 9007199254740993
// Output-ILP32: 12
// Output-LP64: 16
// Output: 18446744073709551615.0
#include <float.h>
#include <stdio.h>

int main(void) {
  long double one = 1, tiny = 1;
  int digits = 0;
  while (one + tiny != one) tiny /= 2, digits++;
  printf("%d %d\n", digits, LDBL_MANT_DIG);
  long double third = 1.0L / 3.0L;
  printf("%.20Lf\n", third);
  printf("%d\n", third == 1.0 / 3.0);
  printf("%lld\n", (long long)(9007199254740993.0L));
  printf("%d\n", (int)sizeof third);
  printf("%.1Lf\n", (long double)18446744073709551615ull);
  return 0;
}
