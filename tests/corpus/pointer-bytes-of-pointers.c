// Feature: a pointer copied byte by byte still points
// Exit: 0
// Output: 6 1
int printf(const char *, ...);

int main(void) {
  int x = 5, *p = &x, *q = 0;
  unsigned char *from = (unsigned char *)&p, *to = (unsigned char *)&q;
  for (unsigned i = 0; i < sizeof p; i++) to[i] = from[i];
  *q = 6;
  printf("%d %d\n", x, p == q);
  return 0;
}
