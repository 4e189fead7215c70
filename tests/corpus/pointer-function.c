// Feature: calling through function pointers
// Exit: 0
// Output: 7 11
// Output: 12 56
// Output: 5 6
// Output: 1 1
// Output: 0
int printf(const char *, ...);

static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static int (*choose(int which))(int, int) { return which ? multiply : add; }

int main(void) {
  int (*f)(int, int) = add;
  printf("%d %d\n", f(3, 4), (*f)(5, 6));
  f = &multiply;
  printf("%d %d\n", (**f)(3, 4), apply(f, 7, 8));
  printf("%d %d\n", choose(0)(2, 3), choose(1)(2, 3));
  printf("%d %d\n", f == multiply, f != add);
  f = 0;
  printf("%d\n", f ? 1 : 0);
  return 0;
}
