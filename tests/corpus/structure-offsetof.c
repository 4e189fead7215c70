// Feature: offsetof with nested members and array elements
// Exit: 0
// Output: 4 16
// Output: 20 12
// Output: 77
// Output: 1
#include <stddef.h>
#include <stdio.h>

struct s {
  char a;
  struct {
    short b[3];
    int c;
  } in[2];
};

int main(void) {
  printf("%zu %zu\n", offsetof(struct s, in), offsetof(struct s, in[1]));
  printf("%zu %zu\n", offsetof(struct s, in[1].b[2]), __builtin_offsetof(struct s, in[0].c));
  struct s s = {0};
  int *c = (int *)((char *)&s + offsetof(struct s, in[1].c));
  *c = 77;
  printf("%d\n", s.in[1].c);
  struct s *back = (struct s *)((char *)c - offsetof(struct s, in[1].c));
  printf("%d\n", back == &s);
  return 0;
}
