// Feature: typeof of expressions and types
// Exit: 0
// Output: 4464 70000 3 4
// Output: 2 0 8
// Output: 3 -1
// Output: called
int printf(const char *, ...);

#define MAX(a, b) ({ typeof(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

int main(void) {
  short s = 5;
  typeof(s) t = 70000;
  typeof(s + 1) u = 70000;
  typeof(int[3]) cells = {1, 2, 3};
  __typeof(&cells) p = &cells;
  typeof(*p) copy = {4};
  const typeof(int *) q = &cells[1];
  int i = 0;
  typeof(i++) untouched = 8;
  printf("%d %d %d %d\n", t, u, (*p)[2], copy[0]);
  printf("%d %d %d\n", *q, i, untouched);
  printf("%d %d\n", MAX(i + 3, 2), MAX(-1, -5));
  typeof(printf) *print = printf;
  print("%s\n", "called");
  return 0;
}
