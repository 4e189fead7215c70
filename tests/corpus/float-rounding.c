// Feature: every operation rounds to nearest, ties to even
// Exit: 0
// Output: 0
// Output: 0.30000000000000004
// Output: 0 0.99999999999999989
// Output: 1.00000012
// Output: 9007199254740992.0 9007199254740996.0
// Output: 3.30000019
int printf(const char *, ...);

int main(void) {
  printf("%d\n", 0.1 + 0.2 == 0.3);
  printf("%.17g\n", 0.1 + 0.2);
  double sum = 0;
  for (int i = 0; i < 10; i++) sum += 0.1;
  printf("%d %.17g\n", sum == 1.0, sum);
  float fsum = 0;
  for (int i = 0; i < 10; i++) fsum += 0.1f;
  printf("%.9g\n", fsum);
  double big = 9007199254740992.0;
  printf("%.1f %.1f\n", big + 1, big + 3);
  printf("%.9g\n", 3.0f * 1.1f);
  return 0;
}
