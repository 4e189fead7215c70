// Feature: precedence and associativity of the operators
// Exit: 0
// Output: 14
// Output: 89
// Output: 8
// Output: 0
// Output: 3
// Output: 1
// Output: 2
// Output: 6
// Output: 0
// Output: 0
// Output: 5
// Output: 6
// Output: 6
// Output: -6
// Output: 8
int printf(const char *, ...);

int main(void) {
  printf("%d\n", 2 + 3 * 4 - 10 / 5 % 2);
  printf("%d\n", 100 - 10 - 1);
  printf("%d\n", 1 << 2 + 1);
  printf("%d\n", 6 & 3 == 3);
  printf("%d\n", 1 | 2 ^ 3 & 4);
  printf("%d\n", 1 < 2 == 1);
  printf("%d\n", !0 + 1);
  printf("%d\n", -2 * -3);
  printf("%d\n", 0 || 1 && 0);
  printf("%d\n", 5 > 3 > 1);
  printf("%d\n", 100 / 10 / 2);
  printf("%d\n", ~1 & 7);
  int a[2] = {5, 6}, *p = a;
  printf("%d\n", *p++ + 1);
  printf("%d\n", -*p);
  printf("%d\n", (int)sizeof(int) * 2);
  return 0;
}
