// Feature: automatic aggregates initialised by expressions with side effects
// Exit: 4
// Output: 0 10 5
// Output: 2 0
// Output: 3 0
// Output: 4 0
int printf(const char *, ...);

static int counter;
static int next(void) { return ++counter; }

int main(void) {
  int a = next();
  struct {
    int x, y;
  } s = {.y = a * 10};
  int cells[3] = {a, a + 1, a == 99 ? 0 : 5};
  printf("%d %d %d\n", s.x, s.y, cells[2]);
  for (int i = 0; i < 3; i++) {
    int fresh[2] = {next()};
    printf("%d %d\n", fresh[0], fresh[1]);
    fresh[1] = 77;
  }
  return counter;
}
