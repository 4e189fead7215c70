// Feature: the old GNU forms `field: value` and `[index] value`
// Exit: 0
// Output: 3 8 5
// Output: 0 7 8
int printf(const char *, ...);

struct operations {
  int (*open)(int);
  int mode;
  int list[3];
};
static int twice(int x) { return 2 * x; }
static struct operations operations = {mode: 3, open: twice, list: {[1] 5}};

int main(void) {
  printf("%d %d %d\n", operations.mode, operations.open(4), operations.list[1]);
  int cells[4] = {[2] 7, 8};
  printf("%d %d %d\n", cells[0], cells[2], cells[3]);
  return 0;
}
