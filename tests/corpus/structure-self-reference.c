// Feature: a linked list by pointers to the same type
// Exit: 0
// Output: 25 16 9 4 1 | 1 9
#include <stdio.h>
#include <stdlib.h>

typedef struct node node;
struct node {
  int value;
  node *next;
};

static node *push(node *list, int value) {
  node *n = malloc(sizeof *n);
  n->value = value;
  n->next = list;
  return n;
}

int main(void) {
  node *list = NULL, *reversed = NULL;
  for (int i = 1; i <= 5; i++) list = push(list, i * i);
  for (node *n = list; n; n = n->next) printf("%d ", n->value);
  while (list) {
    node *next = list->next;
    list->next = reversed;
    reversed = list;
    list = next;
  }
  printf("| %d %d\n", reversed->value, reversed->next->next->value);
  while (reversed) {
    node *next = reversed->next;
    free(reversed);
    reversed = next;
  }
  return 0;
}
