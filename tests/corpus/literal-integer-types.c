// Feature: the type of a constant is the first in its list that holds the value
// Exit: 0
// Output-ILP32: 4 8 4 4 8 8 4 8
// Output-LP64: 4 8 4 4 8 8 8 8
// Output: 0
// Output: 1
// Output: 1
// Output: 0
int printf(const char *, ...);

int main(void) {
  printf("%d", (int)sizeof(2147483647));
  printf(" %d", (int)sizeof(2147483648));
  printf(" %d", (int)sizeof(0x7fffffff));
  printf(" %d", (int)sizeof(0xffffffff));
  printf(" %d", (int)sizeof(4294967295));
  printf(" %d", (int)sizeof(0x100000000));
  printf(" %d", (int)sizeof(1l));
  printf(" %d\n", (int)sizeof(1ll));
  printf("%d\n", 0xffffffff > -1);
  printf("%d\n", 4294967295 > -1);
  printf("%d\n", -2147483648 < 0);
  printf("%d\n", 0x80000000 == -2147483648);
  return 0;
}
