// Feature: arrays in structures are copied with them and indexed through them
// Exit: 0
// Output: 6 60 40 First
// Output: 111
// Output: first irst
int printf(const char *, ...);

struct matrix {
  int rows, columns;
  int cells[2][3];
  char label[8];
};

int main(void) {
  struct matrix a = {2, 3, {{1, 2, 3}, {4, 5, 6}}, "first"}, b = a;
  b.cells[1][2] = 60;
  b.label[0] = 'F';
  int *row = b.cells[1];
  row[0] = 40;
  printf("%d %d %d %s\n", a.cells[1][2], b.cells[1][2], b.cells[1][0], b.label);
  int sum = 0;
  for (int i = 0; i < b.rows; i++)
    for (int j = 0; j < b.columns; j++) sum += b.cells[i][j];
  printf("%d\n", sum);
  struct matrix list[2] = {a, b};
  printf("%s %s\n", list[0].label, list[1].label + 1);
  return 0;
}
