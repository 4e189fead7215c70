// Feature: a flexible array member at the end of an allocated structure
// Exit: 0
// Output: 4 3
// Output: ace k
// Output: 5 k
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct message {
  unsigned short length;
  char kind;
  char data[];
};

int main(void) {
  printf("%zu %zu\n", sizeof(struct message), offsetof(struct message, data));
  struct message *m = malloc(sizeof *m + 5);
  m->length = 5;
  m->kind = 'k';
  for (int i = 0; i < m->length; i++) m->data[i] = 'a' + i;
  printf("%c%c%c %c\n", m->data[0], m->data[2], m->data[4], m->kind);
  struct message copy = *m;
  printf("%d %c\n", copy.length, copy.kind);
  free(m);
  return 0;
}
