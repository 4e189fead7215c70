// Feature: arrays of variable length and their size
// Exit: 0
// Output: 10
// Output: 10
// Output: 10 5050
// Output: 2:1,4:2,6:3,
// Output: 200
int printf(const char *, ...);

static int triangular(int n) {
  int cells[n + 1];
  for (int i = 0; i <= n; i++) cells[i] = i ? cells[i - 1] + i : 0;
  return cells[n];
}

int main(void) {
  int n = 5;
  char text[n * 2];
  printf("%d\n", (int)sizeof text);
  n = 50;
  printf("%d\n", (int)sizeof text);
  printf("%d %d\n", triangular(4), triangular(100));
  for (int i = 1; i < 4; i++) {
    short s[i];
    s[i - 1] = i;
    printf("%d:%d,", (int)sizeof s, s[i - 1]);
  }
  printf("\n");
  printf("%d\n", (int)sizeof(int[n]));
  return 0;
}
