// Feature: tables of function pointers
// Exit: 0
// Output: 0,7,49,
// Output: same 5
// Output: square 25
// Output: 9
int printf(const char *, ...);

static int zero(int x) { return 0; }
static int same(int x) { return x; }
static int square(int x) { return x * x; }
typedef int operation(int);

static operation *const table[] = {zero, same, square};
struct handler {
  const char *name;
  int (*run)(int);
};

int main(void) {
  for (int i = 0; i < 3; i++) printf("%d,", table[i](7));
  printf("\n");
  struct handler handlers[2] = {{"same", same}, {.run = &square, .name = "square"}};
  for (struct handler *h = handlers; h < handlers + 2; h++) printf("%s %d\n", h->name, h->run(5));
  operation **cursor = (operation **)table + 1;
  printf("%d\n", (*cursor)(9));
  return 0;
}
