// Feature: the type of a shift is that of its promoted left operand
// Exit: 0
// Output: 256
// Output: 4
// Output: 4
// Output: 2147483648
// Output: 9223372036854775808
int printf(const char *, ...);

int main(void) {
  unsigned char c = 0x80;
  long long wide = 3;
  printf("%d\n", c << 1);
  printf("%d\n", (int)sizeof(1 << wide));
  printf("%d\n", (int)sizeof(c >> 1LL));
  printf("%u\n", 1u << 31);
  printf("%llu\n", 1ull << 63);
  return 0;
}
