// Feature: compound assignment and increments on bit-fields wrap at their width
// Exit: 0
// Output: 15 0 -8 -8
// Output: 15 -6
// Output: 15 -2 a5
// Output: 3 1
int printf(const char *, ...);

struct s {
  unsigned u : 4;
  int i : 4;
  unsigned neighbour : 8;
};

int main(void) {
  struct s s = {15, 7, 0xa5}, *p = &s;
  printf("%d ", s.u++);
  printf("%d ", s.u);
  printf("%d ", ++s.i);
  printf("%d\n", p->i--);
  p->u -= 1;
  p->i += 3;
  printf("%d %d\n", s.u, s.i);
  s.u <<= 1;
  s.i *= 3;
  s.u |= 1;
  printf("%d %d %x\n", s.u, s.i, s.neighbour);
  int value = (s.u = 19);
  printf("%d %d\n", value, (s.u += 14));
  return 0;
}
