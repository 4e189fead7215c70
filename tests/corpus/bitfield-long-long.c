// Feature: bit-fields wider than an int
// Exit: 0
// Output: ffffffffffff 0 -1
// Output: 456789abcdef
// Output: 69
// Output: 1 16
int printf(const char *, ...);

struct s {
  unsigned long long a : 48;
  unsigned long long b : 16;
  long long c : 63;
};

int main(void) {
  struct s s = {0xffffffffffffull, 0xffff, -1};
  s.b++;
  printf("%llx %x %lld\n", (unsigned long long)s.a, (unsigned)s.b, (long long)s.c);
  s.a = 0x123456789abcdefull;
  printf("%llx\n", (unsigned long long)s.a);
  printf("%d\n", (int)(s.a >> 40));
  s.c = 1LL << 62;
  printf("%d %d\n", s.c < 0, (int)sizeof s);
  return 0;
}
