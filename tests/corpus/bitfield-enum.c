// Feature: bit-fields of enumeration type
// Exit: 0
// Output: 2 7 1
// Output: 7
// Output: last
// Output: 4
int printf(const char *, ...);

enum colour { RED, GREEN, BLUE, LAST = 7 };
struct s {
  enum colour colour : 3;
  enum colour other : 4;
  unsigned char rest : 1;
};

int main(void) {
  struct s s = {BLUE, LAST, 1};
  printf("%d %d %d\n", s.colour, s.other, s.rest);
  s.colour = 7;
  printf("%d\n", s.colour);
  switch (s.colour) {
    case LAST: printf("last\n"); break;
    default: printf("wrong\n");
  }
  printf("%d\n", (int)sizeof s);
  return 0;
}
