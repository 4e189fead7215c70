// Feature: what an initialiser does not mention is zero
// Exit: 0
// Output: 1 0.0 1 0
// Output: 0 1
// Output: 5 0 0 x
// Output: 0 1
// Output: 0 0 0
int printf(const char *, ...);

struct s {
  int a;
  double d;
  char *p;
  int list[3];
};
static struct s global;

int main(void) {
  struct s s = {1}, t = {}, list[3] = {{5}, [2] = {.p = "x"}};
  printf("%d %.1f %d %d\n", s.a, s.d, s.p == 0, s.list[2]);
  printf("%d %d\n", t.a, t.p == 0);
  printf("%d %d %d %s\n", list[0].a, list[1].a, list[2].a, list[2].p);
  printf("%d %d\n", global.a, global.p == 0);
  int cells[5] = {1, 2};
  char text[6] = "ab";
  printf("%d %d %d\n", cells[2] + cells[4], text[2], text[5]);
  return 0;
}
