// Feature: __builtin_bswap16, 32 and 64
// Exit: 0
// Output: 3412 78563412 efcdab8967452301
// Output: 1
// Output: 2
int printf(const char *, ...);

int main(void) {
  unsigned short s = 0x1234;
  unsigned u = 0x12345678;
  unsigned long long w = 0x0123456789abcdefull;
  printf("%x %x %llx\n", __builtin_bswap16(s), __builtin_bswap32(u), (unsigned long long)__builtin_bswap64(w));
  printf("%d\n", __builtin_bswap16(0x00ff) > 0);
  printf("%d\n", (int)sizeof(__builtin_bswap16(1)));
  return 0;
}
