// Feature: the length modifiers z, t, j
// Exit: 0
// Output: 40 28 -40 -1234567890123
// Output:    40|40   |
// Output: 18446744073709551615
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  size_t s = sizeof(int[10]);
  ptrdiff_t d = -40;
  intmax_t m = -1234567890123;
  printf("%zu %zx %td %jd\n", s, s, d, m);
  printf("%5zu|%-5zu|\n", s, s);
  printf("%ju\n", (uintmax_t)-1);
  return 0;
}
