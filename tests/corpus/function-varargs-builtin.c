// Feature: the builtin forms behind stdarg.h
// Exit: 0
// Output: 0 9
typedef __builtin_va_list list_type;
int printf(const char *, ...);

static int count_until_zero(int first, ...) {
  list_type list;
  int count = 0;
  __builtin_va_start(list, first);
  for (int n = first; n; n = __builtin_va_arg(list, int)) count++;
  __builtin_va_end(list);
  return count;
}

int main(void) {
  printf("%d %d\n", count_until_zero(0), count_until_zero(1, 2, 3, 4, 5, 6, 7, 8, 9, 0));
  return 0;
}
