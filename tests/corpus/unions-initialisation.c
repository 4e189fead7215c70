// Feature: a union initialiser sets its first member, or the designated one
// Exit: 0
// Output: A 2.5 -1 2.5
// Output: 0 8
// Output: 1 500 0.25
// Output: 3
int printf(const char *, ...);

union u {
  unsigned char c;
  int n;
  double d;
};

static union u global;

int main(void) {
  union u a = {65}, b = {.d = 2.5}, c = {.n = -1}, d = b;
  printf("%c %.1f %d %.1f\n", a.c, b.d, c.n, d.d);
  printf("%d %d\n", global.n, (int)sizeof a);
  union u array[] = {{1}, {.n = 500}, {.d = 0.25}};
  printf("%d %d %.2f\n", array[0].c, array[1].n, array[2].d);
  c = (union u){.n = 0x10203};
  printf("%d\n", c.c);
  return 0;
}
