// Feature: comparing large integers with floats rounds the integer first
// Exit: 0
// Output: 1 0
// Output: 1 0
// Output: 1
// Output: 1
// Output: 1
int printf(const char *, ...);

int main(void) {
  long long big = 9007199254740993LL;
  unsigned u = 4294967295u;
  printf("%d %d\n", big == 9007199254740992.0, big == 9007199254740992LL);
  printf("%d %d\n", u == 4294967296.0f, u == 4294967296.0);
  printf("%d\n", 0.5 < 1);
  printf("%d\n", -1 < 0.0f);
  printf("%d\n", 3 == 3.0L);
  return 0;
}
