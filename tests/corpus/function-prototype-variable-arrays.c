// Feature: prototypes at file scope with parameters of variable size
// Exit: 0
// Output: 6 6 7 3
int printf(const char *, ...);

int last(int n, int (*rows)[n]);
extern int corner(int n, int m, int cells[n][m]);
int anonymous(int, int[*], int (*)[*]);
typedef int reader(int n, const int (*)[n]);
static reader first;

int last(int n, int (*rows)[n]) { return rows[1][n - 1]; }
int corner(int n, int m, int cells[n][m]) { return cells[n - 1][m - 1]; }
int anonymous(int n, int list[n], int (*rows)[n]) { return list[n - 1] + rows[0][0]; }
static int first(int n, const int (*rows)[n]) { return rows[0][0] * n; }

int main(void) {
  int cells[2][3] = {{1, 2, 3}, {4, 5, 6}};
  printf("%d %d %d %d\n", last(3, cells), corner(2, 3, cells), anonymous(3, cells[1], cells), first(3, cells));
  return 0;
}
