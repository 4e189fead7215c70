// Feature: parameters of variably modified type
// Exit: 0
// Output: 15
// Output: 5 9
// Output: 5
int printf(const char *, ...);

static int trace(int n, int m[n][n]) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += m[i][i];
  return sum;
}
static int last(int rows, int columns, int (*m)[columns]) { return m[rows - 1][columns - 1]; }
static int width(int n, int m[][n]) { return sizeof m[0] / sizeof(int); }

int main(void) {
  int square[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  int wide[2][5] = {{0}, {1, 2, 3, 4, 5}};
  printf("%d\n", trace(3, square));
  printf("%d %d\n", last(2, 5, wide), last(3, 3, square));
  printf("%d\n", width(5, wide));
  return 0;
}
