// Feature: subnormal numbers lose digits gradually
// Exit: 0
// Output: 1 1
// Output: 53
// Output: 24
// Output: 4.94066e-324
int printf(const char *, ...);

int main(void) {
  double tiny = 2.2250738585072014e-308;
  double half = tiny / 2;
  printf("%d %d\n", half > 0, half * 2 == tiny);
  int steps = 0;
  for (double d = tiny; d > 0; d /= 2) steps++;
  printf("%d\n", steps);
  float f = 1.17549435e-38f;
  steps = 0;
  while (f > 0) f /= 2, steps++;
  printf("%d\n", steps);
  printf("%g\n", 4.9406564584124654e-324);
  return 0;
}
