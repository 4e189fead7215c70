// Feature: qualifiers and restrict in every position
// Exit: 0
// Output: 31 7 3
int printf(const char *, ...);

struct s {
  const int c;
  volatile int v;
  int *restrict r;
};
static void copy(int n, int *restrict to, const int *__restrict from) {
  while (n--) *to++ = *from++;
}
static int get(const volatile struct s *const s) { return s->c + s->v; }

int main(void) {
  int a[3] = {1, 2, 3}, b[3];
  copy(3, b, a);
  struct s s = {10, 20, b};
  s.v++;
  *s.r = 7;
  printf("%d %d %d\n", get(&s), b[0], b[2]);
  return 0;
}
