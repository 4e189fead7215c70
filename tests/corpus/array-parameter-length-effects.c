// Feature: the length of an array parameter is evaluated where the function starts
// Exit: 0
// Output: 5123
// Output: 2
int printf(const char *, ...);

static int calls;
static int length(int n) {
  calls++;
  return n;
}

static int sum(int n, int first[n++], int m, int second[length(n)][length(m)]) {
  return n * 1000 + first[0] * 100 + second[0][0] * 10 + (int)(sizeof *second / sizeof **second);
}

int main(void) {
  int first[4] = {1, 2, 3, 4}, second[5][3] = {{2}};
  printf("%d\n", sum(4, first, 3, second));
  printf("%d\n", calls);
  return 0;
}
