// Feature: comparisons give an int that is 0 or 1
// Exit: 8
// Output: 101001
// Output: 11
// Output: 4
// Output: 0
// Output: -1
int printf(const char *, ...);

int main(void) {
  int a = 5, b = 7;
  printf("%d%d%d%d%d%d\n", a < b, a > b, a <= b, a >= b, a == b, a != b);
  printf("%d\n", (a < b) + (a != b) * 10);
  printf("%d\n", (int)sizeof(1.0 < 2.0));
  printf("%d\n", a < b < 1);
  printf("%d\n", -(a < b));
  return (a < b) << 3;
}
