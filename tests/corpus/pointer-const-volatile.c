// Feature: const and volatile in declarations
// Exit: 0
// Output: 2 2
// Output: 5
// Output: 3
// Output: ext
int printf(const char *, ...);

static volatile int ticks;
static const int limits[] = {3, 5};

int main(void) {
  int x = 1;
  const int *to_const = &x;
  int *const fixed = &x;
  const volatile int *const both = &x;
  *fixed = 2;
  printf("%d %d\n", *to_const, *both);
  to_const = &limits[1];
  printf("%d\n", *to_const);
  while (ticks < limits[0]) ticks++;
  printf("%d\n", ticks);
  char const *text = "text";
  text++;
  printf("%s\n", text);
  return 0;
}
