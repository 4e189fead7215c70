// Feature: __builtin_constant_p of literals and constants
// Exit: 0
// Output: 1 1 1
// Output: 3 0
int printf(const char *, ...);

static int cells[__builtin_constant_p(3) ? 3 : 1];
enum { E = 4 };

int main(int argc, char **argv) {
  printf("%d %d %d\n", __builtin_constant_p(1 + 2), __builtin_constant_p(E), __builtin_constant_p("text"));
  printf("%d %d\n", (int)(sizeof cells / sizeof *cells), __builtin_constant_p(argc));
  return __builtin_constant_p(sizeof(int)) ? 0 : 1;
}
