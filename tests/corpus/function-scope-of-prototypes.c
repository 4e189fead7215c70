// Feature: names and types inside prototypes are of no concern outside
// Exit: 0
// Output: 6 5 66 4
int printf(const char *, ...);

static int f(int a, int b[a], int (*c)(int a));
static int same(int n) { return n; }
static int f(int first, int second[first], int (*third)(int)) { return second[first - 1] + third(first); }
static int g(int (parenthesised), int(f)(int)) { return f(parenthesised); }
static int h(int, char *), k(void);
static int h(int n, char *s) { return n + *s; }
static int k(void) { return 4; }

int main(void) {
  int cells[] = {1, 2, 3};
  printf("%d %d %d %d\n", f(3, cells, same), g(5, same), h(1, "A"), k());
  return 0;
}
