// Feature: __builtin_types_compatible_p and __builtin_choose_expr
// Exit: 0
// Output: 1101001
// Output: y 2.5 0
int printf(const char *, ...);

typedef int number;
enum e { A };

int main(void) {
  printf("%d", __builtin_types_compatible_p(int, number));
  printf("%d", __builtin_types_compatible_p(const int, int));
  printf("%d", __builtin_types_compatible_p(int, unsigned));
  printf("%d", __builtin_types_compatible_p(int[], int[5]));
  printf("%d", __builtin_types_compatible_p(char *, const char *));
  printf("%d", __builtin_types_compatible_p(long, int));
  int i = 0;
  printf("%d\n", __builtin_types_compatible_p(typeof(i), typeof(1 + 'a')));
  char c = __builtin_choose_expr(sizeof(int) == 4, 'y', i++);
  double d = __builtin_choose_expr(0, "text", 2.5);
  printf("%c %.1f %d\n", c, d, i);
  return 0;
}
