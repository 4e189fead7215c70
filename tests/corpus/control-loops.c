// Feature: for, while and do loops with break and continue
// Exit: 0
// Output: 8 12
// Output: -1 16
// Output: 4 56
// Output: 106
// Output: (0,10)(3,9)(6,8)
int printf(const char *, ...);

int main(void) {
  int i, sum = 0;
  for (i = 0; i < 10; i++) {
    if (i % 2) continue;
    if (i == 8) break;
    sum += i;
  }
  printf("%d %d\n", i, sum);
  i = 5;
  while (i-- > 0)
    if (i == 2) continue;
    else sum++;
  printf("%d %d\n", i, sum);
  do {
    i++;
    if (i == 3) continue;
    sum += 10;
  } while (i < 4);
  printf("%d %d\n", i, sum);
  do i = 99; while (0);
  for (;;)
    if (++i > 105) break;
  printf("%d\n", i);
  for (int a = 0, b = 10; a < b; a += 3, b--) printf("(%d,%d)", a, b);
  printf("\n");
  return 0;
}
