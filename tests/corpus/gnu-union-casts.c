// Feature: zero-length arrays and casts to unions
// Exit: 0
// Output: 3.0 2.5
// Output: 4 4
// Output: 12
// Output: 0
int printf(const char *, ...);

union number {
  int i;
  double d;
};
static double value(union number n, int real) { return real ? n.d : n.i; }
struct tail {
  int n;
  char end[0];
};

int main(void) {
  printf("%.1f %.1f\n", value((union number)3, 0), value((union number)2.5, 1));
  struct tail t = {5};
  printf("%d %d\n", (int)sizeof t, (int)((char *)&t.end - (char *)&t));
  printf("%d\n", (int)sizeof(struct tail[3]));
  int zero[0];
  printf("%d\n", (int)sizeof zero);
  return 0;
}
