// Feature: variable arguments of integer, floating and pointer type
// Exit: 0
// Output: 106.25
// Output: 8589934661.50
// Output: 0.00
// Output: 50.50
#include <stdarg.h>
#include <stdio.h>

static double total(const char *types, ...) {
  va_list list;
  double sum = 0;
  va_start(list, types);
  for (; *types; types++) switch (*types) {
    case 'i': sum += va_arg(list, int); break;
    case 'l': sum += va_arg(list, long); break;
    case 'L': sum += va_arg(list, long long); break;
    case 'd': sum += va_arg(list, double); break;
    case 's': sum += *va_arg(list, char *); break;
    case 'u': sum += va_arg(list, unsigned); break;
  }
  va_end(list);
  return sum;
}

int main(void) {
  char c = 5;
  float f = 0.25f;
  printf("%.2f\n", total("iidl", 1, c, f, 100L));
  printf("%.2f\n", total("sLdui", "A", 1LL << 33, 0.5, 7u, -3));
  printf("%.2f\n", total(""));
  printf("%.2f\n", total("iiiiiiiiddddddddddi", 1, 2, 3, 4, 5, 6, 7, 8, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1., 9));
  return 0;
}
