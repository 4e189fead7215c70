// Feature: structures as variable arguments
// Exit: 0
// Output: 116 348
#include <stdarg.h>
#include <stdio.h>

struct small {
  char a, b;
};
struct large {
  int cells[10];
};
struct mixed {
  double d;
  int n;
};

static int sum(int count, ...) {
  va_list list;
  int result = 0;
  va_start(list, count);
  while (count--) {
    struct small s = va_arg(list, struct small);
    struct large l = va_arg(list, struct large);
    struct mixed m = va_arg(list, struct mixed);
    result += s.a + s.b + l.cells[9] + (int)m.d + m.n;
  }
  va_end(list);
  return result;
}

int main(void) {
  struct small s = {1, 2};
  struct large l = {{[9] = 10}};
  struct mixed m = {3.5, 100};
  printf("%d %d\n", sum(1, s, l, m), sum(3, s, l, m, s, l, m, s, l, m));
  return 0;
}
