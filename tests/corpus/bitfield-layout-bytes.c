// Feature: the order of bit-fields in memory
// Exit: 0
// Output: 0700000000000000
// Output: f803000000000000
// Output: 0000ff0100000000
// Output: 0000003e00000000
// Output: 000000c0ffffff7f
int printf(const char *, ...);

struct s {
  unsigned a : 3;
  unsigned b : 7;
  unsigned short c : 9;
  unsigned char d : 5;
  unsigned long long e : 33;
};

static void show(const struct s *s) {
  const unsigned char *bytes = (const unsigned char *)s;
  for (unsigned i = 0; i < sizeof *s; i++) printf("%02x", bytes[i]);
  printf("\n");
}

int main(void) {
  struct s s;
  __builtin_memset(&s, 0, sizeof s), s.a = -1, show(&s);
  __builtin_memset(&s, 0, sizeof s), s.b = -1, show(&s);
  __builtin_memset(&s, 0, sizeof s), s.c = -1, show(&s);
  __builtin_memset(&s, 0, sizeof s), s.d = -1, show(&s);
  __builtin_memset(&s, 0, sizeof s), s.e = -1, show(&s);
  return 0;
}
