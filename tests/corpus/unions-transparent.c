// Feature: a transparent union parameter takes any of its members
// Exit: 0
// Output: 0 0 1
// Output: 65 66
// Output: 90
int printf(const char *, ...);

typedef union {
  int *i;
  const char *s;
  void *v;
} argument __attribute__((transparent_union));

static int is_null(argument a) { return a.v == 0; }
static int first(argument a) { return *a.s; }

int main(void) {
  int n = 66;
  printf("%d %d %d\n", is_null(&n), is_null("x"), is_null((void *)0));
  printf("%d %d\n", first("A"), first(&n));
  argument a = {.s = "Z"};
  printf("%d\n", first(a));
  return 0;
}
