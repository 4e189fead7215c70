// Feature: static local variables keep their value between calls
// Exit: 0
// Output: 12
// Output: 5
// Output: 102 13
// Output: 6 2
int printf(const char *, ...);

static int counter(void) {
  static int count = 10;
  return count++;
}
static int other(int reset) {
  static int cells[2] = {1, 2};
  if (reset) cells[0] = 100;
  return cells[0] += cells[1];
}

int main(void) {
  counter();
  counter();
  printf("%d\n", counter());
  other(0);
  printf("%d\n", other(0));
  printf("%d %d\n", other(1), counter());
  for (int i = 0; i < 3; i++) {
    static int inside;
    int automatic = 0;
    inside += 2;
    automatic += 2;
    if (i == 2) printf("%d %d\n", inside, automatic);
  }
  return 0;
}
