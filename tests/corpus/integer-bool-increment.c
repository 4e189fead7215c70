// Feature: ++ and -- on _Bool
// Exit: 0
// Output: 0 1 1 1 1 1 0
int printf(const char *, ...);

int main(void) {
  _Bool b = 0;
  printf("%d", b++);
  printf(" %d", b++);
  printf(" %d", b);
  printf(" %d", ++b);
  b = 0;
  printf(" %d", --b);
  printf(" %d", b--);
  printf(" %d\n", b);
  return 0;
}
