// Feature: recursion twenty thousand calls deep
// Exit: 0
// Output: 20000
int printf(const char *, ...);

static int depth(int n) {
  if (n == 0) return 0;
  return 1 + depth(n - 1);
}

int main(void) {
  printf("%d\n", depth(20000));
  return 0;
}
