// Feature: __builtin_object_size without optimisation, prefetch and assume_aligned
// Exit: 0
// Output: 4
// Output: 1
// Output: 12 12
// Output: 19 -1
// Output: 6 4
// Output: -1 0
int printf(const char *, ...);

struct record {
  int a;
  char b[6];
  int c[3];
} record;

int main(void) {
  int cells[4] = {1, 2, 3, 4};
  __builtin_prefetch(cells);
  __builtin_prefetch(&cells[2], 0, 3);
  int *p = __builtin_assume_aligned(cells, 4);
  printf("%d\n", p[3]);
  printf("%d\n", __builtin_object_size(cells, 0) == sizeof cells);
  printf("%d %d\n", (int)__builtin_object_size(&cells[1], 0), (int)__builtin_object_size(cells + 1, 2));
  printf("%d %d\n", (int)__builtin_object_size(record.b + 1, 0), (int)__builtin_object_size(record.b + 1, 1));
  printf("%d %d\n", (int)__builtin_object_size(record.b, 1), (int)__builtin_object_size(&record.b[2], 3));
  printf("%d %d\n", (int)__builtin_object_size(p++, 0), (int)__builtin_object_size(&cells[p[0]], 2));
  return 0;
}
