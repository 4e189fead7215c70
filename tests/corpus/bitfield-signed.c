// Feature: signed bit-fields extend their sign; a plain int one is signed
// Exit: 0
// Output: -1 -4 -16 -549755813888
// Output: -1
// Output: -3
int printf(const char *, ...);

struct s {
  signed int one : 1;
  int three : 3;
  signed char five : 5;
  long long forty : 40;
};

int main(void) {
  struct s s = {0};
  s.one = 1;
  s.three = 4;
  s.five = 16;
  s.forty = 1LL << 39;
  printf("%d %d %d %lld\n", s.one, s.three, s.five, (long long)s.forty);
  s.three = -1;
  s.three >>= 1;
  printf("%d\n", s.three);
  printf("%d\n", (s.three = 5));
  return s.one == -1 ? 0 : 1;
}
