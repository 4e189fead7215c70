// Feature: usual arithmetic conversions choose the common type of two operands
// Exit: 0
// Output: 1
// Output: 1
// Output-ILP32: 0
// Output-LP64: 1
// Output: 1
// Output: 0
// Output-ILP32: 4
// Output-LP64: 8
// Output: 18446744073709551615
int printf(const char *, ...);

int main(void) {
  int i = -1;
  unsigned u = 1;
  long l = -1;
  long long ll = -1;
  printf("%d\n", i + u == 0);
  printf("%d\n", (i + (long long)u) == 0);
  printf("%d\n", l < u);
  printf("%d\n", ll < u);
  printf("%d\n", i < (unsigned long)u);
  printf("%d\n", (int)sizeof(l + u));
  printf("%llu\n", ll + 0ull);
  return 0;
}
