// Feature: designators that reach into nested aggregates
// Exit: 0
// Output: 4 0,0 5,1 2, 9
// Output: 2 1 2 3
// Output: 1 3 7
int printf(const char *, ...);

struct inner {
  int x, y;
};
struct outer {
  struct inner in[3];
  int tail;
};

int main(void) {
  struct outer o = {.in[1].y = 5, .in[2] = {1, 2}, .tail = 9, .in[0].x = 4};
  for (int i = 0; i < 3; i++) printf("%d %d,", o.in[i].x, o.in[i].y);
  printf(" %d\n", o.tail);
  struct outer list[] = {[1].in[0].x = 1, [1].in[0].y = 2, [0].tail = 3};
  printf("%d %d %d %d\n", (int)(sizeof list / sizeof *list), list[1].in[0].x, list[1].in[0].y, list[0].tail);
  int grid[2][3] = {[1][2] = 7, [0] = {1}, [0][2] = 3};
  printf("%d %d %d\n", grid[0][0], grid[0][2], grid[1][2]);
  return 0;
}
