// Feature: scalars may be initialised in braces
// Exit: 0
// Output: 5 2.0 text x 7
// Output: 1 2
int printf(const char *, ...);

int main(void) {
  int i = {5};
  double d = {2};
  char *p = {"text"}, c = {'x'};
  static int s = {7,};
  printf("%d %.1f %s %c %d\n", i, d, p, c, s);
  int cells[2] = {{1}, {2}};
  printf("%d %d\n", cells[0], cells[1]);
  return 0;
}
