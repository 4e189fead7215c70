// Feature: the classification macros of math.h
// Exit: 0
// Output: 00110
// Output: 00101
// Output: 01000
// Output: 01001
// Output: 10000
// Output: 00100
// Output: 1 1
// Output: 0 1
#include <math.h>
#include <stdio.h>

static void show(double d) {
  printf("%d%d%d%d%d\n", isnan(d) != 0, isinf(d) != 0, isfinite(d) != 0, isnormal(d) != 0, signbit(d) != 0);
}

int main(void) {
  double zero = 0;
  show(1.0);
  show(-zero);
  show(1 / zero);
  show(-1 / zero);
  show(NAN);
  show(1e-310);
  printf("%d %d\n", fpclassify(1.0) == FP_NORMAL, fpclassify(zero) == FP_ZERO);
  printf("%d %d\n", isgreater(1.0, NAN), isunordered(1.0, NAN));
  return 0;
}
