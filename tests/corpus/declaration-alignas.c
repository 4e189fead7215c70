// Feature: _Alignas on objects
// Exit: 0
// Output: 0
// Output: 0
// Output: 0 5
int printf(const char *, ...);

static _Alignas(64) char global;
_Alignas(int) static char as_int[5];

int main(void) {
  _Alignas(16) _Alignas(32) int strict = 5;
  printf("%d\n", (int)((unsigned long)&global % 64));
  printf("%d\n", (int)((unsigned long)as_int % _Alignof(int)));
  printf("%d %d\n", (int)((unsigned long)&strict % 32), strict);
  return 0;
}
