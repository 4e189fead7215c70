// Feature: declarators that combine pointers, arrays and functions
// Exit: 0
// Output: 1 2
// Output: 1 2
// Output: c
// Output: 2
int printf(const char *, ...);

static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*pick(int i))(void) { return i ? two : one; }
static int (*(*chooser)(int))(void) = pick;
static int (*table[2])(void) = {one, two};
static int (*(*pointer_to_table)[2])(void) = &table;
static char *(*names)[3];

int main(void) {
  char *list[3] = {"a", "b", "c"};
  names = &list;
  printf("%d %d\n", chooser(0)(), (*chooser(1))());
  printf("%d %d\n", (*pointer_to_table)[0](), (**(*pointer_to_table + 1))());
  printf("%s\n", (*names)[2]);
  int (*(*local[1])(int))(void) = {pick};
  printf("%d\n", local[0](1)());
  return 0;
}
