// Feature: alloca lives until its function returns
// Exit: 0
// Output: 6 96
#include <alloca.h>
#include <stdio.h>

static int sum(int n) {
  int *blocks[4], total = 0;
  for (int i = 0; i < 4; i++) {
    blocks[i] = alloca(n * sizeof(int));
    for (int j = 0; j < n; j++) blocks[i][j] = i * n + j;
  }
  for (int i = 0; i < 4; i++) total += blocks[i][n - 1];
  return total;
}

int main(void) {
  printf("%d %d\n", sum(1), sum(10));
  return 0;
}
