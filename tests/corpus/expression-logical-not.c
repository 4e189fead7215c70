// Feature: ! on integers, floats and pointers
// Exit: 2
// Output: 1 0 1
// Output: 1 1 0
// Output: 1 0
// Output: 4
int printf(const char *, ...);

int main(void) {
  int i = 0;
  double d = 0.5;
  char *p = 0;
  printf("%d %d %d\n", !i, !d, !p);
  printf("%d %d %d\n", !!5, !!d, !&i);
  printf("%d %d\n", !-0.0, !0x100000000LL);
  printf("%d\n", (int)sizeof(!1LL));
  return !i + !!7;
}
