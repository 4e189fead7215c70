// Feature: anonymous structures and unions as members
// Exit: 0
// Output: 42 41 5 6
// Output: 14142
// Output: 0 7 0 9
// Output: 519 16
int printf(const char *, ...);

struct message {
  int kind;
  union {
    int number;
    struct {
      unsigned char low, high;
    };
    char text[4];
  };
  struct {
    int x, y;
  };
};

int main(void) {
  struct message m = {1, {0x4142}, {5, 6}};
  printf("%x %x %d %d\n", m.low, m.high, m.x, m.y);
  m.text[2] = 1;
  printf("%x\n", m.number);
  struct message n = {.number = 7, .y = 9};
  printf("%d %d %d %d\n", n.kind, n.low, n.x, n.y);
  struct message *p = &n;
  p->high = 2;
  printf("%d %d\n", p->number, (int)sizeof n);
  return 0;
}
