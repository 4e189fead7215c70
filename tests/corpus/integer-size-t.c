// Feature: size_t and ptrdiff_t follow the data model
// Exit: 7
// Output-ILP32: 4294967295
// Output-LP64: 18446744073709551615
// Output: -1
// Output-ILP32: 4 4
// Output-LP64: 8 8
// Output: 1
// Output: 0
#include <stddef.h>
#include <stdio.h>

int main(void) {
  size_t largest = -1;
  ptrdiff_t difference = -1;
  printf("%zu\n", largest);
  printf("%td\n", difference);
  printf("%d %d\n", (int)sizeof(size_t), (int)sizeof(ptrdiff_t));
  printf("%d\n", difference < (ptrdiff_t)sizeof(int));
  printf("%d\n", difference < sizeof(int));
  return (int)(largest >> (sizeof largest * 8 - 3));
}
