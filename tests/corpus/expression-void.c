// Feature: expressions of type void
// Exit: 0
// Output: 5
// Output: 1
// Output: 4
int printf(const char *, ...);

static int x;
static void set(int value) { x = value; }
static void both(int value) { return set(value); }

int main(void) {
  (void)0;
  (void)(x = 5);
  printf("%d\n", x);
  x ? set(1) : set(2);
  printf("%d\n", x);
  (set(3), both(4));
  printf("%d\n", x);
  return 0;
}
