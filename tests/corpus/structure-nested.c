// Feature: nested structures and chains of members
// Exit: 0
// Output: 1 x 2 3
// Output: z 7
// Output: -1 6
// Output: 24
int printf(const char *, ...);

struct outer {
  int id;
  struct inner {
    char tag;
    struct {
      short a, b;
    } deep;
  } in, list[2];
};

int main(void) {
  struct outer o = {1, {'x', {2, 3}}, {{'y', {4, 5}}, {'z', {6, 7}}}};
  struct inner copy = o.list[1];
  struct outer *p = &o;
  printf("%d %c %d %d\n", o.id, o.in.tag, o.in.deep.a, o.in.deep.b);
  printf("%c %d\n", copy.tag, copy.deep.b);
  p->list[0].deep.a = -1;
  (&p->in)->deep.b *= 2;
  printf("%d %d\n", o.list[0].deep.a, o.in.deep.b);
  printf("%d\n", (int)sizeof o);
  return 0;
}
