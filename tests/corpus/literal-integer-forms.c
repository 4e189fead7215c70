// Feature: decimal, hexadecimal, octal and binary constants
// Exit: 26
// Output: 42 42 42 42
// Output: 42 3
// Output: 42 42 42
// Output: 42 9223372036854775807
// Output: 0 0
// Output: 18446744073709551615
int printf(const char *, ...);

int main(void) {
  printf("%d %d %d %d\n", 42, 0x2a, 052, 0b101010);
  printf("%d %d\n", 0X2A, 0B11);
  printf("%u %lu %llu\n", 42u, 42UL, 42ull);
  printf("%lld %lld\n", 42LL, 0x7fffffffffffffffLL);
  printf("%d %d\n", 0, 00);
  printf("%llu\n", 18446744073709551615uLL);
  return 0x10 + 010 + 0b10;
}
