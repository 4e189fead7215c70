// Feature: the right shift of a negative number keeps the sign
// Exit: 0
// Output: -4 -1 -1
// Output: -1
// Output: -4
// Output: 15
int printf(const char *, ...);

int main(void) {
  int i = -16;
  signed char c = -2;
  long long ll = -(1LL << 40);
  printf("%d %d %d\n", i >> 2, i >> 31, -1 >> 1);
  printf("%d\n", c >> 1);
  printf("%lld\n", ll >> 38);
  printf("%u\n", (unsigned)i >> 28);
  return 0;
}
