// Feature: declarations in for, and evaluation of its three parts
// Exit: 0
// Output: 13573573 100
// Output: 012
int printf(const char *, ...);

static int trace;
static int mark(int digit) {
  trace = trace * 10 + digit;
  return digit;
}

int main(void) {
  int i = 100;
  for (int i = mark(1); i < mark(3); i++, mark(7)) mark(5);
  printf("%d %d\n", trace, i);
  for (struct { int a, b; } s = {0, 3}; s.a < s.b; s.a++) printf("%d", s.a);
  printf("\n");
  return 0;
}
