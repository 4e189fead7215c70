// Feature: decimal and hexadecimal floating constants with suffixes
// Exit: 0
// Output: 1.500 0.250 3.000
// Output: 1000.0 0.01250 200.0
// Output: 3.0000 4.0
// Output: 8 4 1
// Output: 2.5 2.5
// Output: 10.0
int printf(const char *, ...);

int main(void) {
  printf("%.3f %.3f %.3f\n", 1.5, .25, 3.);
  printf("%.1f %.5f %.1f\n", 1e3, 12.5e-3, 2E+2);
  printf("%.4f %.1f\n", 0x1.8p1, 0x10p-2);
  printf("%d %d %d\n", (int)sizeof 1.0, (int)sizeof 1.0f, sizeof 1.0L > sizeof 1.0);
  printf("%.1f %.1Lf\n", 2.5f, 2.5L);
  printf("%.1f\n", 1e1f);
  return 0;
}
