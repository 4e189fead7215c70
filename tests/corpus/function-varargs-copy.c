// Feature: va_copy and passing a va_list to other functions
// Exit: 0
// Output: 14
// Output: 42-x
// Output: 5
#include <stdarg.h>
#include <stdio.h>

static int maximum(int n, va_list list) {
  int best = va_arg(list, int);
  while (--n) {
    int next = va_arg(list, int);
    if (next > best) best = next;
  }
  return best;
}
static int take(va_list *list) { return va_arg(*list, int); }
static int spread(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  int high = maximum(n, list), low = high;
  for (int i = 0; i < n; i++) {
    int value = i % 2 ? take(&again) : va_arg(again, int);
    if (value < low) low = value;
  }
  va_end(again);
  va_end(list);
  return high - low;
}
static int print(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vprintf(format, list);
  va_end(list);
  return count;
}

int main(void) {
  printf("%d\n", spread(5, 3, -4, 10, 0, 7));
  printf("%d\n", print("%d-%s\n", 42, "x"));
  return 0;
}
