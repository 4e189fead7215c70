// Feature: _Alignof and __alignof__
// Exit: 0
// Output: 1 2 4
// Output-ILP32: 4 4
// Output-LP64: 8 8
// Output: 4
// Output-ILP32: 4 4
// Output-LP64: 8 8
// Output-ILP32: 4
// Output-LP64: 16
// Output: 32 0
#include <stddef.h>
#include <stdio.h>

struct mixed {
  char c;
  double d;
};

int main(void) {
  printf("%zu %zu %zu\n", _Alignof(char), _Alignof(short), _Alignof(int));
  printf("%zu %zu\n", _Alignof(long), _Alignof(int *));
  printf("%zu\n", _Alignof(int[5]));
  printf("%zu %zu\n", _Alignof(struct mixed), offsetof(struct mixed, d));
  printf("%zu\n", _Alignof(long double));
  _Alignas(32) char buffer[3];
  printf("%zu %d\n", __alignof__(buffer), (int)((unsigned long)buffer % 32));
  return 0;
}
