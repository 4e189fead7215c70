// Feature: _Static_assert in all the places where it is allowed
// Exit: 0
// Output: 0
int printf(const char *, ...);

_Static_assert(sizeof(char) == 1, "char");
struct s {
  int a;
  _Static_assert(sizeof(int) == 4, "int");
  int b;
};
enum { N = 4 };

int main(void) {
  _Static_assert(N * 2 == 8 && sizeof(struct s) == 2 * sizeof(int), "size of s");
  for (int i = 0; i < 1; i++) {
    _Static_assert((unsigned char)-1 == 255, "conversion");
    _Static_assert(1 ? 1 : 1 / 0, "unevaluated division");
    printf("%d\n", i);
  }
  return 0;
}
