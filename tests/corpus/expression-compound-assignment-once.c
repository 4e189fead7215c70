// Feature: the left side of a compound assignment is evaluated once
// Exit: 0
// Output: 8 7 4, 3 1
// Output: 108 7 -46 2
int printf(const char *, ...);

static int calls, cells[3] = {1, 2, 3};
static int *cell(int i) {
  calls++;
  return &cells[i];
}

int main(void) {
  int i = 0;
  *cell(1) += 5;
  cells[i++] *= 9;
  (*cell(2))++;
  --*cell(0);
  printf("%d %d %d, %d %d\n", cells[0], cells[1], cells[2], calls, i);
  int *p = cells;
  *p++ += 100;
  *++p -= 50;
  printf("%d %d %d %d\n", cells[0], cells[1], cells[2], (int)(p - cells));
  return 0;
}
