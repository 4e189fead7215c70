// Feature: macros of the kernel kind, with statement expressions and typeof
// Exit: 0
// Output: 30 30 7
int printf(const char *, ...);

#define container_of(pointer, type, member) ({                      \
  const typeof(((type *)0)->member) *_member = (pointer);           \
  (type *)((char *)_member - __builtin_offsetof(type, member)); })
#define min(x, y) ({ typeof(x) _x = (x); typeof(y) _y = (y); (void)(&_x == &_y); _x < _y ? _x : _y; })
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]) + sizeof(struct { int : 1; int bad; }) * 0)

struct list {
  struct list *next;
};
struct item {
  int value;
  struct list link;
};

int main(void) {
  struct item second = {20, {0}}, first = {10, {&second.link}};
  int sum = 0;
  for (struct list *l = &first.link; l; l = l->next) sum += container_of(l, struct item, link)->value;
  int cells[7];
  printf("%d %d %d\n", sum, min(sum, min(40, 50)), (int)ARRAY_SIZE(cells));
  return 0;
}
