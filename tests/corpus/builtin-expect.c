// Feature: __builtin_expect and unreachable code
// Exit: 0
// Output: likely
// Output: 5
// Output: 6 -1 1
// Output-ILP32: 4
// Output-LP64: 8
int printf(const char *, ...);

static int sign(int n) {
  switch (n < 0) {
    case 0: return 1;
    case 1: return -1;
  }
  __builtin_unreachable();
}

int main(void) {
  int x = 5;
  if (__builtin_expect(x == 5, 1)) printf("likely\n");
  if (__builtin_expect(!!(x > 9), 0)) printf("unlikely\n");
  printf("%ld\n", __builtin_expect(x++, 3));
  printf("%d %d %d\n", x, sign(-3), sign(3));
  printf("%d\n", (int)sizeof(__builtin_expect(1, 1)));
  return 0;
}
