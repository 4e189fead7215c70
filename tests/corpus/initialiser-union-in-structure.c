// Feature: unions inside initialisers of structures and arrays
// Exit: 0
// Output: 10 abc 4 5 11
// Output: 9 0 6
int printf(const char *, ...);

struct s {
  int kind;
  union {
    int n;
    char text[8];
    struct {
      short a, b;
    } pair;
  } u;
};

int main(void) {
  struct s list[] = {{1, {10}}, {2, {.text = "abc"}}, {3, .u.pair = {4, 5}}, {4, 11}};
  printf("%d %s %d %d %d\n", list[0].u.n, list[1].u.text, list[2].u.pair.a, list[2].u.pair.b, list[3].u.n);
  static struct s fixed = {.u.pair.b = 6, .kind = 9};
  printf("%d %d %d\n", fixed.kind, fixed.u.pair.a, fixed.u.pair.b);
  return 0;
}
