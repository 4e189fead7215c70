// Feature: pointers one past the end of an array
// Exit: 0
// Output: 321
// Output: 3
// Output: 3
// Output: 9
int printf(const char *, ...);

int main(void) {
  int cells[3] = {1, 2, 3};
  int *end = cells + 3, sum = 0;
  for (int *p = end; p != cells;) sum = sum * 10 + *--p;
  printf("%d\n", sum);
  printf("%d\n", (int)(end - cells));
  printf("%d\n", end[-1]);
  int single = 9, *after = &single + 1;
  printf("%d\n", after[-1]);
  return 0;
}
