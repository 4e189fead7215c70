// Feature: addresses as static initialisers
// Exit: 0
// Output: 3 2 tic
// Output: 4 teral
// Output: 11 1
int printf(const char *, ...);

static int cells[4] = {1, 2, 3, 4};
static int *third = &cells[2], *second = cells + 1;
static char text[] = "static", *tail = text + 3;
static struct {
  int *p;
  const char *s;
  int (*f)(const char *, ...);
} record = {&cells[3], "literal" + 2, printf};
static long difference = sizeof cells / sizeof cells[0] * 3 - 1;
static int *self_reference[2] = {cells, (int *)&self_reference};

int main(void) {
  printf("%d %d %s\n", *third, *second, tail);
  record.f("%d %s\n", *record.p, record.s);
  printf("%ld %d\n", difference, self_reference[1] == (int *)self_reference);
  return 0;
}
