// Feature: reading one past the end of an array
// Ended: invalid dereference
// Gcc: no
// Output: 6
int printf(const char *, ...);

int main(void) {
  int cells[3] = {1, 2, 3}, sum = 0;
  for (int i = 0; i < 3; i++) sum += cells[i];
  printf("%d\n", sum);
  for (int i = 0; i <= 3; i++)
    sum += cells[i]; // ends here
  return sum;
}
