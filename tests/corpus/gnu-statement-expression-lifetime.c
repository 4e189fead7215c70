// Feature: what a statement expression declares is still there when its value is taken
// Exit: 0
// Output: 41 7 5
// Output: 9 3
int printf(const char *, ...);

#define LARGER(x, y) ({ int _x = (x), _y = (y); int *_p = _x > _y ? &_x : &_y; *_p; })
struct pair {
  int a, b;
};

int main(void) {
  int r = ({ int a = 40; int *p = &a; *p + 1; });
  int s;
  s = LARGER(3, LARGER(7, 5));
  int t = 1;
  t += ({ int cells[3] = {1, 4, 9}; int *p = cells; p[1]; });
  printf("%d %d %d\n", r, s, t);
  struct pair pair = ({ struct pair local = {9, 3}; struct pair *p = &local; *p; });
  printf("%d %d\n", pair.a, pair.b);
  return 0;
}
