// Feature: the difference of pointers is signed and in elements
// Exit: 0
// Output: 5 -5
// Output: 3
// Output: 24
// Output: 1
// Output-ILP32: 4
// Output-LP64: 8
#include <stddef.h>
#include <stdio.h>

struct triple {
  char bytes[3];
};

int main(void) {
  struct triple t[10];
  double d[4];
  ptrdiff_t forward = &t[7] - &t[2], back = &t[2] - &t[7];
  printf("%td %td\n", forward, back);
  printf("%td\n", &d[3] - d);
  printf("%td\n", (char *)&d[3] - (char *)d);
  printf("%d\n", &t[0] - &t[1] < 0);
  printf("%d\n", (int)sizeof(d - d));
  return 0;
}
