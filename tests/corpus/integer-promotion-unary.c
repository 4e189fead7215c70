// Feature: unary plus, minus and complement promote their operand
// Exit: 0
// Output: 4 4 4
// Output: -1 -2 -2
// Output: 1
// Output: 0
int printf(const char *, ...);

int main(void) {
  char c = 1;
  unsigned short s = 1;
  _Bool b = 1;
  printf("%d %d %d\n", (int)sizeof(+c), (int)sizeof(-s), (int)sizeof(~b));
  printf("%d %d %d\n", -s, ~s, ~b);
  printf("%d\n", (int)sizeof(c++));
  printf("%d\n", !s);
  return 0;
}
