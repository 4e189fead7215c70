// Feature: assignment to a narrower integer keeps the low bits
// Exit: 0
// Output: 78 -1 -32768 65535 -1698898192 2596069104
// Output: 103
int printf(const char *, ...);

int main(void) {
  int i = 0x12345678;
  long long ll = 0x123456789abcdef0LL;
  unsigned char uc = i;
  signed char sc = 0x1ff;
  short s = 0x18000;
  unsigned short us = -1;
  int low = (int)ll;
  unsigned ulow = ll;
  printf("%x %d %d %u %d %u\n", uc, sc, s, us, low, ulow);
  printf("%d\n", (char)(i >> 4));
  return 0;
}
