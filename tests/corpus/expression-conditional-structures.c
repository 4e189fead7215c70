// Feature: structures and pointers as branches of the conditional operator
// Exit: 0
// Output: 3 4 2
// Output: 1 2 4
// Output: 1
// Output: 1
int printf(const char *, ...);

struct pair {
  int a, b;
};

int main(void) {
  struct pair one = {1, 2}, two = {3, 4};
  for (int i = 0; i < 2; i++) {
    struct pair chosen = i ? one : two;
    printf("%d %d %d\n", chosen.a, chosen.b, (i ? two : one).b);
  }
  const int *p = &one.a;
  void *v = 0;
  printf("%d\n", (p ? p : v) == p);
  printf("%d\n", *(p ? p : 0));
  return 0;
}
