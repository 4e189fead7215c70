// Feature: a later initialiser of the same member wins
// Exit: 0
// Output: 10 2 6 0
// Output: 4 2 5
// Output: 7 0
// Output: 1 3 1
int printf(const char *, ...);

struct s {
  int a;
  struct {
    int x, y;
  } in;
};

int main(void) {
  int cells[4] = {1, 2, [0] = 10, [2] = 5, [2] = 6};
  printf("%d %d %d %d\n", cells[0], cells[1], cells[2], cells[3]);
  struct s s = {.a = 1, .in = {2, 3}, .a = 4, .in.y = 5};
  printf("%d %d %d\n", s.a, s.in.x, s.in.y);
  struct s t = {.in.y = 5, .in = {7}};
  printf("%d %d\n", t.in.x, t.in.y);
  int range[5] = {[0 ... 4] = 1, [2] = 3};
  printf("%d %d %d\n", range[1], range[2], range[4]);
  return 0;
}
