// Feature: negative zero equals zero but keeps its sign
// Exit: 0
// Output: 1
// Output: 0 1
// Output: 0.000000 -0.000000
// Output: 1 0
// Output: 0
// Output: 1
// Output: 0
// Output: 1
#include <math.h>
#include <stdio.h>

int main(void) {
  double plus = 0.0, minus = -plus;
  printf("%d\n", plus == minus);
  printf("%d %d\n", signbit(plus) != 0, signbit(minus) != 0);
  printf("%f %f\n", plus, minus);
  printf("%d %d\n", 1 / plus > 0, 1 / minus > 0);
  printf("%d\n", signbit(plus + minus) != 0);
  printf("%d\n", signbit(minus + minus) != 0);
  printf("%d\n", signbit(0 - plus) != 0);
  printf("%d\n", signbit(plus * -1) != 0);
  return minus ? 1 : 0;
}
