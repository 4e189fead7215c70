// Feature: GNU a ?: b evaluates a once
// Exit: 0
// Output: 7 1
// Output: 3 2
// Output: none
// Output: 5
// Output: 5
int printf(const char *, ...);

static int calls;
static int next(int value) {
  calls++;
  return value;
}

int main(void) {
  int first = next(7) ?: 3;
  printf("%d %d\n", first, calls);
  int second = next(0) ?: 3;
  printf("%d %d\n", second, calls);
  const char *name = 0;
  printf("%s\n", name ?: "none");
  printf("%d\n", next(0) ?: next(0) ?: next(5));
  printf("%d\n", calls);
  return 0;
}
