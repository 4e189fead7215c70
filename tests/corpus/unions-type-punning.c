// Feature: reading another member of a union sees the same bytes
// Exit: 0
// Output: 3fc00000
// Output: 3.14159
// Output: db 40
// Output: ffff0fdb
// Output: ffff00db
int printf(const char *, ...);

union u {
  float f;
  unsigned bits;
  unsigned char bytes[4];
  short half[2];
};

int main(void) {
  union u u;
  u.f = 1.5f;
  printf("%x\n", u.bits);
  u.bits = 0x40490fdb;
  printf("%.5f\n", u.f);
  printf("%x %x\n", u.bytes[0], u.bytes[3]);
  u.half[1] = -1;
  printf("%x\n", u.bits);
  u.bytes[1] = 0;
  printf("%x\n", u.bits);
  return 0;
}
