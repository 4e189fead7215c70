// Feature: gcc computes with bit-fields wider than int in exactly their width
// Exit: 0
// Output: 10
// Output: fffffff000
// Output: 100
// Output: f 10
// Output: 0
// Output: 1ffffffef
// Output: 1 0
// Output: 1 1 0
// Output: ffffffff00 ffffffff00 fc00000000
// Output: 0 0
// Output: 5555555550 fffffffff0
// Output: fffffffff000 -6 -10
// Output: 1 2 4
// Output: fffffffff0
int printf(const char *, ...);

struct s {
  unsigned long long a : 40;
  long long b : 35;
  unsigned long long c : 33;
  unsigned long long word : 32;
} s;

static unsigned long long wide(unsigned long long value) { return value; }

int main(void) {
  s.a = 0xfffffffff0;
  s.b = -5;
  s.c = 0x1ffffffff;
  s.word = 1;
  struct s *p = &s;
  printf("%llx\n", wide(s.a + 0x20));
  printf("%llx\n", wide(s.a << 8));
  printf("%llx\n", wide(s.a * s.a));
  printf("%llx %llx\n", wide(~s.a), wide(-s.a));
  printf("%llx\n", wide(s.c + 1));
  printf("%llx\n", wide(s.c + s.a));
  // `long long` is wider, and signed.
  printf("%d %d\n", s.a - s.a - 1LL < 0, s.a - s.a - 1 < 0);
  printf("%d %d %d\n", s.c == -1, s.b < s.c, s.a == -1);
  printf("%llx %llx %llx\n", wide((0, p->a) << 4), wide(+s.a << 4), wide((s.b ? s.a : 0) << 30));
  struct s t;
  printf("%llx ", wide((t.a = 0xffffffffff) + 1));
  printf("%llx\n", wide(t.a++ + 1));
  t.a = 0xfffffffff0;
  t.a /= 3;
  printf("%llx %llx\n", wide(t.a), wide(s.a & -1));
  printf("%llx %lld %lld\n", wide((unsigned long long)s.a << 8 | 0x1000) & ~0xff0ull, (long long)s.b - 1,
         (long long)(s.b * 2));
  int number = _Generic(s.a + 0, unsigned long long: 0, unsigned long: 0, default: 1);
  char c = 1;
  printf("%d %d %d\n", number, _Generic(s.word + 0, unsigned: 2, default: 0), (int)sizeof(c ? c : c));
  t.a = -1;
  t.a %= -1;
  t.a |= s.a;
  printf("%llx\n", wide(t.a));
  return 0;
}
