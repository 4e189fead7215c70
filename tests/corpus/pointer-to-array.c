// Feature: pointers to whole arrays
// Exit: 0
// Output: 2 9
// Output: 4 12
// Output: 78
// Output: 39
// Output: 10 48
// Output: 48
int printf(const char *, ...);

static int sum(int (*rows)[3], int count) {
  int total = 0;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < 3; j++) total += rows[i][j];
  return total;
}

int main(void) {
  int table[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
  int (*row)[3] = table;
  printf("%d %d\n", (*row)[1], (*(row + 2))[2]);
  row++;
  printf("%d %d\n", **row, (int)sizeof *row);
  printf("%d\n", sum(table, 4));
  printf("%d\n", sum(table + 1, 2));
  int (*whole)[4][3] = &table;
  printf("%d %d\n", (*whole)[3][0], (int)sizeof *whole);
  printf("%d\n", (int)((char *)(whole + 1) - (char *)whole));
  return 0;
}
