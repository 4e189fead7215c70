// Feature: little-endian order of bytes, seen through unions and pointers
// Exit: 0
// Output: 87654321 5060708 1020304
// Output: ef be ad de
// Output: adbeef
int printf(const char *, ...);

int main(void) {
  union {
    unsigned long long whole;
    unsigned words[2];
    unsigned char bytes[8];
  } u = {0x0102030405060708ull};
  for (int i = 0; i < 8; i++) printf("%d", u.bytes[i]);
  printf(" %x %x\n", u.words[0], u.words[1]);
  unsigned n = 0xdeadbeef;
  unsigned char *p = (unsigned char *)&n;
  printf("%x %x %x %x\n", p[0], p[1], p[2], p[3]);
  p[3] = 0;
  printf("%x\n", n);
  return 0;
}
