// Feature: bit-fields of type _Bool
// Exit: 0
// Output: 1 0 63
// Output: 0 1 63
// Output: 1 0 63
// Output: 4
int printf(const char *, ...);

struct switches {
  _Bool a : 1;
  _Bool b : 1;
  unsigned rest : 6;
};

int main(void) {
  struct switches s = {2, 0, 63};
  printf("%d %d %d\n", s.a, s.b, s.rest);
  s.b = 0.5;
  s.a = 0;
  printf("%d %d %d\n", s.a, s.b, s.rest);
  s.a++;
  s.b ^= 1;
  printf("%d %d %d\n", s.a, s.b, s.rest);
  printf("%d\n", (int)sizeof s);
  return 0;
}
