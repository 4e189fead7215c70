// Feature: a type defined in a declaration of several names is defined once
// Exit: 0
// Output: 1 2 3 7 9
// Output: 3 7 0
// Output: 9 10
int printf(const char *, ...);

struct outer {
  struct inner {
    int x;
  } one, list[2], *pointer;
  enum shade { DARK = 3, LIGHT } first, second;
  union {
    int n;
    char c;
  } a, b;
};
static struct named {
  enum { LOCAL = 7 } kind;
} left = {LOCAL}, right[2], *both = &left;
typedef struct pair {
  int a, b;
} pair, *pair_pointer;

int main(void) {
  struct outer o = {{1}, {{2}, {3}}, &o.list[1], DARK, LIGHT, {4}, {5}};
  printf("%d %d %d %d %d\n", o.one.x, o.list[0].x, o.pointer->x, o.first + o.second, o.a.n + o.b.n);
  struct inner *walk = o.list;
  printf("%d %d %d\n", walk[1].x, both->kind, (int)right[1].kind);
  pair p = {8, 9};
  pair_pointer q = &p;
  struct local { int v; } s = {10}, *t = &s;
  printf("%d %d\n", q->b, t->v);
  return 0;
}
