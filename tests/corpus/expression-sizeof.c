// Feature: sizeof of types and expressions, which are not evaluated
// Exit: 0
// Output: 1 2 4 8
// Output-ILP32: 4 4
// Output-LP64: 8 8
// Output: 4 8
// Output: 28 7
// Output: 8 1
// Output: 4 0
// Output-ILP32: 4
// Output-LP64: 8
// Output-ILP32: 12
// Output-LP64: 16
// Output: 1 1
int printf(const char *, ...);

int main(void) {
  int i = 0, table[7];
  struct { char c; int n; } s;
  printf("%d %d %d %d\n", (int)sizeof(char), (int)sizeof(short), (int)sizeof(int), (int)sizeof(long long));
  printf("%d %d\n", (int)sizeof(long), (int)sizeof(void *));
  printf("%d %d\n", (int)sizeof(float), (int)sizeof(double));
  printf("%d %d\n", (int)sizeof table, (int)(sizeof table / sizeof *table));
  printf("%d %d\n", (int)sizeof s, (int)sizeof(s.c));
  printf("%d %d\n", (int)sizeof(i++), i);
  printf("%d\n", (int)sizeof(&table));
  printf("%d\n", (int)sizeof(long double));
  printf("%d %d\n", (int)sizeof(void), (int)sizeof(main));
  return 0;
}
