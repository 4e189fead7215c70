// Feature: the conditional operator evaluates one branch and converts both to a common type
// Exit: 0
// Output: 1 0
// Output: 1 1
// Output: 1
// Output: 1.0
// Output: 8
// Output: 50
// Output: 7 2
// Output: 8 2
int printf(const char *, ...);

static int count;
static int bump(void) { return ++count; }

int main(void) {
  int i = 5;
  int first = i > 3 ? 1 : bump();
  printf("%d %d\n", first, count);
  int second = i < 3 ? 5 : bump();
  printf("%d %d\n", second, count);
  printf("%d\n", (1 ? -1 : 1u) > 0);
  printf("%.1f\n", i ? 1 : 2.5);
  printf("%d\n", (int)sizeof(1 ? 1 : 1LL));
  printf("%d\n", i == 1 ? 10 : i == 5 ? 50 : 99);
  int x = 1, y = 2;
  *(i ? &x : &y) = 7;
  printf("%d %d\n", x, y);
  i ? x++ : y++;
  printf("%d %d\n", x, y);
  return 0;
}
