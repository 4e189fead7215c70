// Feature: inline functions in their several forms
// Exit: 0
// Output: 25 27 2
int printf(const char *, ...);

static inline int square(int x) { return x * x; }
extern inline __attribute__((gnu_inline)) int never_emitted(int x) { return x; }
inline int with_definition(int x) { return x + 1; }
extern inline int with_definition(int x);
__attribute__((always_inline)) static inline int cube(int x) { return x * square(x); }

int main(void) {
  printf("%d %d %d\n", square(5), cube(3), with_definition(1));
  return 0;
}
