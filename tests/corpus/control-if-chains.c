// Feature: else belongs to the nearest if
// Exit: 0
// Output: 1 2 3 4
// Output: else
int printf(const char *, ...);

static int f(int a, int b) {
  if (a)
    if (b) return 1;
    else return 2;
  if (b) return 3;
  else if (a == b) return 4;
  else return 5;
}

int main(void) {
  printf("%d %d %d %d\n", f(1, 1), f(1, 0), f(0, 1), f(0, 0));
  if (0);
  else printf("else\n");
  if (1) {} else printf("never\n");
  return 0;
}
