// Feature: __builtin_object_size without optimisation, prefetch and assume_aligned
// Exit: 0
// Output: 4
// Output: 1
int printf(const char *, ...);

int main(void) {
  int cells[4] = {1, 2, 3, 4};
  __builtin_prefetch(cells);
  __builtin_prefetch(&cells[2], 0, 3);
  int *p = __builtin_assume_aligned(cells, 4);
  printf("%d\n", p[3]);
  printf("%d\n", __builtin_object_size(cells, 0) == sizeof cells);
  return 0;
}
