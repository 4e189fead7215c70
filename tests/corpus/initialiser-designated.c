// Feature: designated initialisers for members and elements
// Exit: 0
// Output: 1 0 3 0 0 20 30
// Output: 6: 0 1 2 3 0 5
// Output: 0 7 8 1
int printf(const char *, ...);

struct s {
  int a, b, c;
  int d[4];
};

int main(void) {
  struct s s = {.c = 3, .a = 1, .d = {[2] = 20, 30}};
  printf("%d %d %d %d %d %d %d\n", s.a, s.b, s.c, s.d[0], s.d[1], s.d[2], s.d[3]);
  int cells[] = {[5] = 5, [1] = 1, 2, 3};
  printf("%d:", (int)(sizeof cells / sizeof *cells));
  for (int i = 0; i < 6; i++) printf(" %d", cells[i]);
  struct s t = {.b = 7, 8, {1}};
  printf("\n%d %d %d %d\n", t.a, t.b, t.c, t.d[0]);
  return 0;
}
