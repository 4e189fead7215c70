// Feature: a variably modified typedef keeps the size that it had
// Exit: 3
// Output: 3 6
// Output: 2 1
int printf(const char *, ...);

int main(void) {
  int n = 3;
  typedef int row[n];
  n = 10;
  row a, b[2];
  for (int i = 0; i < 3; i++) a[i] = b[1][i] = i;
  printf("%d %d\n", (int)(sizeof a / sizeof(int)), (int)(sizeof b / sizeof(int)));
  int count = 0;
  printf("%d ", (int)sizeof(char[++count + 1]));
  printf("%d\n", count);
  return a[2] + b[1][1];
}
