// Feature: results through pointers to locals of the caller
// Exit: 0
// Output: 3 2 -9 12
int printf(const char *, ...);

static void divide(int a, int b, int *quotient, int *remainder) {
  *quotient = a / b;
  *remainder = a % b;
}
static void minimum_maximum(const int *cells, int n, int *low, int *high) {
  *low = *high = cells[0];
  for (int i = 1; i < n; i++) {
    if (cells[i] < *low) *low = cells[i];
    if (cells[i] > *high) *high = cells[i];
  }
}

int main(void) {
  int q, r, low, high, cells[] = {4, -9, 12, 0};
  divide(17, 5, &q, &r);
  minimum_maximum(cells, 4, &low, &high);
  printf("%d %d %d %d\n", q, r, low, high);
  return 0;
}
