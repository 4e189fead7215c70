// Feature: bit-fields narrower than int are promoted to int
// Exit: 0
// Output: 1
// Output: 0
// Output: -3
// Output: -4
// Output: 48
// Output: 1
int printf(const char *, ...);

struct s {
  unsigned small : 31;
  unsigned full : 32;
  unsigned tiny : 2;
};

int main(void) {
  struct s s = {1, 1, 3};
  printf("%d\n", s.small - 2 < 0);
  printf("%d\n", s.full - 2 < 0);
  printf("%d\n", -s.tiny);
  printf("%d\n", ~s.tiny);
  printf("%d\n", s.tiny << 4);
  printf("%d\n", s.tiny > -1);
  return 0;
}
