// Feature: float arithmetic is done in float, not in double
// Exit: 0
// Output: 0.333333343
// Output: 0
// Output: 0.111111119389534
// Output: 0.11111111773384952
// Output: 1.3333333730697632
// Output: 1
int printf(const char *, ...);

int main(void) {
  float a = 1.0f / 3.0f, b = 1e10f, c = 1.0f;
  printf("%.9g\n", a);
  printf("%.9g\n", b + c - b);
  printf("%.17g\n", (double)(a * a));
  printf("%.17g\n", (double)a * a);
  double d = a + 1.0f;
  printf("%.17g\n", d);
  printf("%d\n", a * 3 == 1.0f);
  return 0;
}
