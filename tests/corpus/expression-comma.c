// Feature: the comma operator evaluates from left to right and gives the last value
// Exit: 3
// Output: 2 20
// Output: 5 5
// Output: 1
int printf(const char *, ...);

int main(void) {
  int i = 0, j;
  j = (i++, i++, i * 10);
  printf("%d %d\n", i, j);
  for (i = 0, j = 10; i < j; i++, j--) {}
  printf("%d %d\n", i, j);
  char c = 'x';
  printf("%d\n", (int)sizeof(0, c));
  return (1, 2, 3);
}
