// Feature: compound assignment computes in the common type and converts back
// Exit: 0
// Output: 4
// Output: 144
// Output: 128
// Output: 10
// Output: 33
// Output: -7
// Output: -32768
// Output: 256
// Output: 0.333333343
int printf(const char *, ...);

int main(void) {
  unsigned char c = 250;
  c += 10;
  printf("%d\n", c);
  c *= 100;
  printf("%d\n", c);
  c <<= 3;
  printf("%d\n", c);
  int i = 7;
  i *= 1.5;
  printf("%d\n", i);
  i /= 0.3;
  printf("%d\n", i);
  i -= 40u;
  printf("%d\n", i);
  short s = -1;
  s >>= 1;
  s ^= 0x7fff;
  printf("%d\n", s);
  i %= 7;
  i |= 0x100;
  i &= ~1;
  printf("%d\n", i);
  float f = 1;
  f /= 3;
  f += 1e-9;
  printf("%.9f\n", f);
  return 0;
}
