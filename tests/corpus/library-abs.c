// Feature: abs, labs, llabs and div
// Exit: 0
// Output: 5 6 7
// Output: 0 2147483647
// Output: -3 -2 -3 2
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(-7LL));
  printf("%d %d\n", abs(0), abs(2147483647));
  div_t d = div(-17, 5);
  ldiv_t l = ldiv(17, -5);
  printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
  return 0;
}
