// Feature: operands narrower than int are promoted before arithmetic
// Exit: 0
// Output: 300 -50
// Output: 128 -201
// Output: 65536
// Output: 44
// Output: 150
int printf(const char *, ...);

int main(void) {
  unsigned char a = 200, b = 100;
  signed char c = -128;
  unsigned short s = 65535;
  printf("%d %d\n", a + b, a - b - 150);
  printf("%d %d\n", -c, ~a);
  printf("%d\n", s + 1);
  printf("%d\n", (unsigned char)(a + b));
  printf("%d\n", (a + b) / 2);
  return sizeof(a + b) == sizeof(int) ? 0 : 1;
}
