// Feature: rounding, remainder and sign functions of math.h
// Exit: 0
// Output: 2.5: 2.0 3.0 3.0 2.0 2.0
// Output: -2.5: -3.0 -2.0 -3.0 -2.0 -2.0
// Output: 2.4: 2.0 3.0 2.0 2.0 2.0
// Output: -2.6: -3.0 -2.0 -3.0 -2.0 -3.0
// Output: 0.5: 0.0 1.0 1.0 0.0 0.0
// Output: -0.5: -1.0 -0.0 -1.0 -0.0 -0.0
// Output: 3.0: 3.0 3.0 3.0 3.0 3.0
// Output: 1.500 -1.500
// Output: 3.5 -2.0
// Output: 1.0 2.0
// Output: 1.4142135624 4.0
#include <math.h>
#include <stdio.h>

int main(void) {
  double values[] = {2.5, -2.5, 2.4, -2.6, 0.5, -0.5, 3.0};
  for (int i = 0; i < 7; i++) {
    double v = values[i];
    printf("%.1f: %.1f %.1f %.1f %.1f %.1f\n", v, floor(v), ceil(v), round(v), trunc(v), rint(v));
  }
  printf("%.3f %.3f\n", fmod(7.5, 2), fmod(-7.5, 2));
  printf("%.1f %.1f\n", fabs(-3.5), copysign(2, -0.0));
  printf("%.1f %.1f\n", fmin(1, 2), fmax(NAN, 2));
  printf("%.10f %.1f\n", sqrt(2), sqrtf(16));
  return 0;
}
