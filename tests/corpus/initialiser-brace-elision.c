// Feature: inner braces may be left out
// Exit: 0
// Output: 1 2 x 3 4
// Output: 3 4 0
// Output: 3 6 z 8 9
// Output: 2 3 0 4
int printf(const char *, ...);

struct s {
  int a[2];
  struct {
    char c;
    short d;
  } in;
  int e;
};

int main(void) {
  struct s s = {1, 2, 'x', 3, 4};
  printf("%d %d %c %d %d\n", s.a[0], s.a[1], s.in.c, s.in.d, s.e);
  int grid[2][3] = {1, 2, 3, 4};
  printf("%d %d %d\n", grid[0][2], grid[1][0], grid[1][1]);
  struct s list[] = {{{1}, {'y'}}, 5, 6, 'z', 7, 8, 9};
  printf("%d %d %c %d %d\n", (int)(sizeof list / sizeof *list), list[1].a[1], list[1].in.c, list[1].e, list[2].a[0]);
  int mixed[2][2][2] = {{1, 2, {3}}, {{4}}};
  printf("%d %d %d %d\n", mixed[0][0][1], mixed[0][1][0], mixed[0][1][1], mixed[1][0][0]);
  return 0;
}
