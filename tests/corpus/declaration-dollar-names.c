// Feature: $ in identifiers
// Exit: 0
// Output: 2 3 4 11
int printf(const char *, ...);

static int $global = 1, a$b = 2, $$ = 3;
struct s$ {
  int $;
};
static int f$1(int $x) { return $x + $global; }

int main(void) {
  struct s$ s = {4};
  printf("%d %d %d %d\n", a$b, $$, s.$, f$1(10));
  return 0;
}
