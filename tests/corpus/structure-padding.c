// Feature: offsets and padding of ordinary structures in both data models
// Exit: 0
// Output-ILP32: 2 4 8 16
// Output-LP64: 2 4 8 24
// Output-ILP32: 28 36 48 60
// Output-LP64: 40 56 80 96
// Output-ILP32: 64 4
// Output-LP64: 112 16
#include <stddef.h>
#include <stdio.h>

struct s {
  char a;
  short b;
  char c;
  long d;
  char e;
  double f;
  char g;
  void *h;
  char i;
  long long j;
  char k;
  long double l;
  char m;
};

int main(void) {
  printf("%zu %zu %zu %zu\n", offsetof(struct s, b), offsetof(struct s, c), offsetof(struct s, d), offsetof(struct s, f));
  printf("%zu %zu %zu %zu\n", offsetof(struct s, h), offsetof(struct s, j), offsetof(struct s, l), offsetof(struct s, m));
  printf("%zu %zu\n", sizeof(struct s), _Alignof(struct s));
  return 0;
}
