// Feature: reading through a null pointer
// Ended: invalid dereference
// Output: 3
// Gcc: no
int printf(const char *, ...);

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node last = {3, 0}, *n = &last;
  for (;;) {
    printf("%d\n", n->value); // ends here
    n = n->next;
  }
}
