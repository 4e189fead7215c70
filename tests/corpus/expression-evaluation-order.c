// Feature: sequence points order side effects
// Exit: 0
// Output: 2 20
// Output: 12345
// Output: 1 2 1
// Output: 4 4
int printf(const char *, ...);

static int log_value;
static int note(int digit) {
  log_value = log_value * 10 + digit;
  return digit;
}

int main(void) {
  int i = 1;
  int j = (i++, i * 10);
  printf("%d %d\n", i, j);
  (note(1), note(2)) && note(3);
  note(4) ? note(5) : note(6);
  printf("%d\n", log_value);
  int p = 0, cells[3] = {0};
  cells[p] = 1, p++, cells[p] = 2;
  printf("%d %d %d\n", cells[0], cells[1], p);
  int x = 3;
  int y = (x++ && x == 4) ? x : -1;
  printf("%d %d\n", x, y);
  return 0;
}
