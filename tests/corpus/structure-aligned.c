// Feature: the aligned attribute and _Alignas on members and types
// Exit: 0
// Output: 32 16
// Output: 32 32
// Output-ILP32: 8 12
// Output-LP64: 8 16
// Output: 16 8
// Output: 32
int printf(const char *, ...);

struct a {
  char c;
  int n __attribute__((aligned(16)));
  char d;
};
struct __attribute__((aligned(32))) b {
  char c;
};
struct c {
  char x;
  _Alignas(8) char y;
  _Alignas(double) char z;
};
typedef int wide __attribute__((aligned(8)));
struct d {
  char c;
  wide w;
};

int main(void) {
  printf("%d %d\n", (int)sizeof(struct a), (int)__builtin_offsetof(struct a, n));
  printf("%d %d\n", (int)sizeof(struct b), (int)_Alignof(struct b));
  printf("%d %d\n", (int)__builtin_offsetof(struct c, y), (int)__builtin_offsetof(struct c, z));
  printf("%d %d\n", (int)sizeof(struct d), (int)__builtin_offsetof(struct d, w));
  struct b pair[2];
  printf("%d\n", (int)((char *)&pair[1] - (char *)&pair[0]));
  return 0;
}
