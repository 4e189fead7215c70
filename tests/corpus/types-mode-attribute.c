// Feature: the mode attribute chooses the width of a type
// Exit: 0
// Output: 1 2 4 8 8
// Output: -56 3 18446744073709551615
// Output: 1
int printf(const char *, ...);

typedef int byte __attribute__((mode(QI)));
typedef unsigned int half __attribute__((__mode__(__HI__)));
typedef int single __attribute__((mode(SI)));
typedef unsigned int twice __attribute__((mode(DI)));
typedef int word __attribute__((mode(word)));
typedef float real __attribute__((mode(DF)));

int main(void) {
  byte b = 200;
  half h = 65536 + 3;
  twice d = -1;
  printf("%d %d %d %d %d\n", (int)sizeof b, (int)sizeof h, (int)sizeof(single), (int)sizeof d, (int)sizeof(real));
  printf("%d %d %llu\n", b, h, (unsigned long long)d);
  printf("%d\n", sizeof(word) == sizeof(void *));
  return 0;
}
