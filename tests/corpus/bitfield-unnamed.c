// Feature: unnamed bit-fields are padding that initialisers skip
// Exit: 0
// Output: 1 2 3 4
// Output: 1 2 3
int printf(const char *, ...);

struct s {
  unsigned a : 4;
  unsigned : 4;
  unsigned b : 8;
  unsigned : 10;
  unsigned c : 6;
};

int main(void) {
  static struct s s = {1, 2, 3};
  printf("%d %d %d %d\n", s.a, s.b, s.c, (int)sizeof s);
  unsigned char *bytes = (unsigned char *)&s;
  printf("%d %d %d\n", bytes[0] & 15, bytes[1], bytes[3] >> 2);
  return 0;
}
