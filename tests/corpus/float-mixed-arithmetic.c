// Feature: the usual conversions between integers and floats
// Exit: 3
// Output: 3.50 3.50 3
// Output: 4 8 4
// Output: 3.0
// Output: 1
// Output: 1
// Output: 4294967295.000
// Output: 97.5
int printf(const char *, ...);

int main(void) {
  int i = 7, j = 2;
  float f = 2;
  printf("%.2f %.2f %d\n", i / f, (double)i / j, i / j);
  printf("%d %d %d\n", (int)sizeof(i + f), (int)sizeof(f + 1.0), (int)sizeof(1LL * f));
  printf("%.1f\n", i / j * 1.0);
  printf("%d\n", 16777217 == 16777217.0f);
  printf("%d\n", 16777217 == 16777217.0);
  printf("%.3f\n", -1u * 1.0);
  printf("%.1f\n", 'a' + 0.5);
  return i * 0.5;
}
