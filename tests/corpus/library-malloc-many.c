// Feature: thousands of allocations that live at the same time
// Exit: 0
// Output: 12497500
typedef __typeof__(sizeof 0) size;
void *malloc(size);
void free(void *);
int printf(const char *, ...);

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 5000; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->next = list;
    n->value = i;
    list = n;
  }
  int sum = 0;
  while (list) {
    struct node *next = list->next;
    sum += list->value;
    free(list);
    list = next;
  }
  printf("%d\n", sum);
  return 0;
}
