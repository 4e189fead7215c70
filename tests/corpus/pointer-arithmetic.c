// Feature: pointer arithmetic counts in elements
// Exit: 10
// Output: 20 30 10
// Output: 50 50
// Output: 40 2
// Output: 0
// Output: 20 4
// Output: 12
// Output: 8
int printf(const char *, ...);

int main(void) {
  int cells[6] = {0, 10, 20, 30, 40, 50};
  int *p = cells + 2, *end = &cells[6];
  printf("%d %d %d\n", *p, p[1], p[-1]);
  printf("%d %d\n", *(p + 3), *(3 + p));
  p += 2;
  printf("%d %d\n", *p, (int)(end - p));
  p -= 4;
  printf("%d\n", *p);
  printf("%d %d\n", 2[cells], (int)(&cells[5] - &cells[1]));
  long long *wide = 0;
  printf("%d\n", (int)((char *)(&cells[3]) - (char *)cells));
  printf("%d\n", (int)sizeof wide[0]);
  return *(cells + 1);
}
