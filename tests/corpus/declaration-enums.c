// Feature: enumerators, their values and types
// Exit: 5
// Output: 0 5 6 -3 -2
// Output: 6 3
// Output: 77 4
// Output: 1
// Output: 1
// Output: 12 4
int printf(const char *, ...);

enum level { LOW, MIDDLE = 5, HIGH, NEGATIVE = -3, AFTER };
enum { FLAG_A = 1 << 0, FLAG_B = 1 << 1, ALL = FLAG_A | FLAG_B };
enum big { BIG = 0xffffffff };

int main(void) {
  enum level l = HIGH;
  printf("%d %d %d %d %d\n", LOW, MIDDLE, HIGH, NEGATIVE, AFTER);
  printf("%d %d\n", l, ALL);
  l = 77;
  printf("%d %d\n", l, (int)sizeof l);
  printf("%d\n", (enum big)BIG > 0);
  printf("%d\n", (enum level)-1 < 0);
  enum inner { X = HIGH * 2, Y = sizeof(int) } i = Y;
  printf("%d %d\n", X, i);
  int cells[MIDDLE] = {[LOW] = 1};
  return sizeof cells / sizeof *cells;
}
