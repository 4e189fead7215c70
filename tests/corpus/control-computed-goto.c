// Feature: labels as values and computed goto
// Exit: 0
// Output: 1 6 -15
// Output: second
int printf(const char *, ...);

static int execute(const char *program) {
  static void *const table[] = {&&increment, &&twice, &&negate, &&halt};
  int accumulator = 1;
  goto *table[*program++ - '0'];
increment:
  accumulator++;
  goto *table[*program++ - '0'];
twice:
  accumulator *= 2;
  goto *table[*program++ - '0'];
negate:
  accumulator = -accumulator;
  goto *table[*program++ - '0'];
halt:
  return accumulator;
}

int main(void) {
  printf("%d %d %d\n", execute("3"), execute("0013"), execute("0112103"));
  void *target = &&second;
  goto *target;
first:
  printf("first\n");
  return 1;
second:
  printf("second\n");
  return 0;
}
