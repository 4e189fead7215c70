// Feature: arrays of arrays
// Exit: 0
// Output: 123 112
// Output: 96 48 16
// Output: 48
// Output: 121
// Output: 446
int printf(const char *, ...);

int main(void) {
  int cube[2][3][4];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 4; k++) cube[i][j][k] = i * 100 + j * 10 + k;
  printf("%d %d\n", cube[1][2][3], *(*(*(cube + 1) + 1) + 2));
  printf("%d %d %d\n", (int)sizeof cube, (int)sizeof cube[0], (int)sizeof cube[0][0]);
  int *flat = &cube[0][0][0];
  printf("%d\n", (int)((char *)&cube[1][0][0] - (char *)flat));
  int (*plane)[4] = cube[1];
  printf("%d\n", plane[2][1]);
  int sum = 0;
  for (int *p = cube[1][1]; p < cube[1][1] + 4; p++) sum += *p;
  printf("%d\n", sum);
  return 0;
}
