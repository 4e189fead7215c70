// Feature: short circuits inside conditions, arguments and indices
// Exit: 0
// Output: 123
// Output: 20
// Output: 12
// Output: 1 1
// Output: 56565
int printf(const char *, ...);

static int trace;
static int mark(int digit, int value) {
  trace = trace * 10 + digit;
  return value;
}

int main(void) {
  int table[2] = {10, 20};
  if (mark(1, 0) || (mark(2, 1) && !mark(3, 0))) printf("%d\n", trace);
  trace = 0;
  printf("%d\n", table[mark(1, 1) && mark(2, 1)]);
  printf("%d\n", trace);
  trace = 0;
  int sum = (mark(1, 1) || mark(2, 1)) + (mark(3, 0) && mark(4, 1));
  printf("%d %d\n", sum, trace == 13 || trace == 31);
  trace = 0;
  while (mark(5, trace < 500) && mark(6, 1)) {}
  printf("%d\n", trace);
  return 0;
}
