// Feature: arrays decay to pointers, but not under sizeof and &
// Exit: 0
// Output: 1 40
// Output: 8
// Output: 1
// Output: 40
// Output: 1
// Output: 8
int printf(const char *, ...);

static int size_of_parameter(int cells[10]) { return sizeof cells == sizeof(int *); }
static void set(int cells[static 2], const int value) { cells[1] = value; }

int main(void) {
  int cells[10] = {0};
  printf("%d %d\n", size_of_parameter(cells), (int)sizeof cells);
  set(cells, 8);
  printf("%d\n", cells[1]);
  printf("%d\n", (void *)&cells == (void *)cells);
  printf("%d\n", (int)((char *)(&cells + 1) - (char *)&cells));
  printf("%d\n", cells == &cells[0]);
  printf("%d\n", *cells + *(cells + 1));
  return 0;
}
