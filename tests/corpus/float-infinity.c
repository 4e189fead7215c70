// Feature: infinities from overflow and division by zero
// Exit: 0
// Output: 1 1 1
// Output: 1 1
// Output: inf -inf
// Output: 1
// Output: 0.0
// Output: 1
#include <math.h>
#include <stdio.h>

int main(void) {
  double zero = 0.0, big = 1e308;
  double inf = 1.0 / zero;
  float overflowed = 1e38f;
  overflowed *= 10;
  printf("%d %d %d\n", inf > big, -inf < -big, inf == inf);
  printf("%d %d\n", big * 10 == inf, isinf(overflowed) != 0);
  printf("%f %f\n", inf, -inf);
  printf("%d\n", isnan(inf - inf));
  printf("%.1f\n", 1 / inf);
  printf("%d\n", INFINITY == inf);
  return 0;
}
