// Feature: tags have their own name space and block scope
// Exit: 3
// Output: 5 3 4
// Output: 7 8
int printf(const char *, ...);

struct s {
  int a;
};
static int s = 5;

static int inner(void) {
  struct s {
    char c[3];
  };
  struct s s;
  return sizeof s;
}

int main(void) {
  struct s s2 = {s};
  printf("%d %d %d\n", s2.a, inner(), (int)sizeof(struct s));
  {
    struct s;
    struct t {
      struct s *p;
    };
    struct s {
      long long wide;
    };
    struct s local = {7};
    struct t t = {&local};
    printf("%d %d\n", (int)t.p->wide, (int)sizeof *t.p);
  }
  enum s_values { s_first = 3 };
  return s_first;
}
