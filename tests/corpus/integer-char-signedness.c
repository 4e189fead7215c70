// Feature: plain char is signed on the platforms that we model
// Exit: 3
// Output: -56 200 -56
// Output: 0 1
// Output: -1
// Output: -2
// Output: -128
int printf(const char *, ...);

int main(void) {
  char c = (char)200;
  unsigned char u = 200;
  signed char s = (signed char)200;
  printf("%d %d %d\n", c, u, s);
  printf("%d %d\n", c == u, c == s);
  printf("%d\n", '\xff');
  printf("%d\n", "\xfe"[0]);
  c = 127;
  c++;
  printf("%d\n", c);
  return c < 0 ? 3 : 4;
}
