// Feature: specifiers in any order
// Exit: 0
// Output: 1 65535 -1 5 1099511627776 2 12
int printf(const char *, ...);

int static long unsigned a = 1;
long const int long typedef wide;
short unsigned b = 65535;
char signed volatile c = -1;
static inline int const five(void) { return 5; }
double long d = 2;
int register_free(void) {
  register int fast = 3;
  auto int slow = 4;
  int long unsigned long mixed = 5;
  return fast + slow + (int)mixed;
}

int main(void) {
  wide w = 1LL << 40;
  printf("%lu %d %d %d %lld %d %d\n", a, b, c, five(), w, (int)d, register_free());
  return 0;
}
