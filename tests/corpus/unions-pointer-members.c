// Feature: unions of pointers, and copying through a member of another type
// Exit: 0
// Output: D
// Output: 7
// Output: 1
// Output: 1
int printf(const char *, ...);

union pointer {
  int *i;
  char *c;
  void *v;
};

int main(void) {
  int number = 0x41424344;
  union pointer p = {&number}, q;
  printf("%c\n", *p.c);
  q.v = p.v;
  *q.i = 7;
  printf("%d\n", number);
  p.c++;
  printf("%d\n", (int)(p.c - (char *)&number));
  printf("%d\n", (int)sizeof(union pointer) == (int)sizeof(void *));
  return 0;
}
