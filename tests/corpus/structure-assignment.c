// Feature: assignment copies the whole structure
// Exit: 0
// Output: 1 2 ab
// Output: 10 2 zb
// Output: 10 zb
// Output: 2
int printf(const char *, ...);

struct point {
  int x, y;
  char name[4];
};

int main(void) {
  struct point a = {1, 2, "ab"}, b;
  b = a;
  b.x = 10;
  b.name[0] = 'z';
  printf("%d %d %s\n", a.x, a.y, a.name);
  printf("%d %d %s\n", b.x, b.y, b.name);
  struct point *p = &a, *q = &b;
  *p = *q;
  printf("%d %s\n", a.x, a.name);
  a = a;
  printf("%d\n", (a = b).y);
  return 0;
}
