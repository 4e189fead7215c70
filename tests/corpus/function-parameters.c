// Feature: arguments are copied and converted to the types of the parameters
// Exit: 0
// Output: 1 100
// Output: 10011
// Output: 2.5
// Output: 5
// Output: 19991 98
int printf(const char *, ...);

static void change(int n, int *p) {
  n = 100;
  *p = n;
}
static int narrow(unsigned char c, short s, _Bool b) { return c * 10000 + s * 10 + b; }
static double halve(double d) { return d / 2; }
static int array(int a[2], int (*f)(int)) { return f(a[0]) + f(a[1]); }
static int increment(int x) { return ++x; }

int main(void) {
  int a = 1, b = 2;
  change(a, &b);
  printf("%d %d\n", a, b);
  printf("%d\n", narrow(257, 65537, 5));
  printf("%.1f\n", halve(5));
  int cells[] = {1, 2};
  printf("%d\n", array(cells, increment));
  printf("%d %d\n", narrow(2.9, -1.5, 0.1), increment('a'));
  return 0;
}
