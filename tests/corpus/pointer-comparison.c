// Feature: comparing pointers into one array, and with null
// Exit: 0
// Output: 1 1 1 0
// Output: 1 1 1
// Output: 0 1 1
// Output: 0
// Output: 10
// Output: 1
int printf(const char *, ...);

int main(void) {
  int a[4] = {1, 2, 3, 4}, b;
  int *p = a, *q = a + 3, *null = 0;
  printf("%d %d %d %d\n", p < q, p <= p, q > p, p >= q);
  printf("%d %d %d\n", p == a, p != q, p + 3 == q);
  printf("%d %d %d\n", p == null, null == 0, !null);
  printf("%d\n", &b == a);
  int count = 0;
  for (int *r = a; r != a + 4; ++r) count += *r;
  printf("%d\n", count);
  printf("%d\n", (void *)p == (char *)a);
  return 0;
}
