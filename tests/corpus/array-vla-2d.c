// Feature: two-dimensional arrays of variable length
// Exit: 0
// Output: 48 16
// Output: 11 6
// Output: 4 9
// Output: 4
int printf(const char *, ...);

int main(void) {
  int rows = 3, columns = 4;
  int m[rows][columns];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) m[i][j] = i * columns + j;
  printf("%d %d\n", (int)sizeof m, (int)sizeof m[0]);
  printf("%d %d\n", m[2][3], *(*(m + 1) + 2));
  int (*row)[columns] = m + 1;
  printf("%d %d\n", (*row)[0], row[1][1]);
  printf("%d\n", (int)((char *)(row + 1) - (char *)row) / (int)sizeof(int));
  return 0;
}
