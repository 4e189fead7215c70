// Feature: sorting and searching in an array
// Exit: 0
// Output: -8,-2,0,5,5,7,9,
// Output: 3 5 7
int printf(const char *, ...);

static void sort(int *cells, int n) {
  for (int i = 1; i < n; i++) {
    int value = cells[i], j = i;
    for (; j > 0 && cells[j - 1] > value; j--) cells[j] = cells[j - 1];
    cells[j] = value;
  }
}
static int find(const int *cells, int low, int high, int value) {
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (cells[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

int main(void) {
  int cells[] = {5, -2, 9, 0, 5, 7, -8};
  int n = sizeof cells / sizeof cells[0];
  sort(cells, n);
  for (int i = 0; i < n; i++) printf("%d,", cells[i]);
  printf("\n%d %d %d\n", find(cells, 0, n, 5), find(cells, 0, n, 6), find(cells, 0, n, 100));
  return 0;
}
