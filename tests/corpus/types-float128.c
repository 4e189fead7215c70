// Feature: 128-bit floating types are known to the front end
// Exit: 0
// Output: 16 32
int printf(const char *, ...);

typedef __float128 quad;
extern _Float128 unused_function(_Float128, quad *);
struct s {
  char c;
  _Float128 q;
};

int main(void) {
  printf("%d %d\n", (int)sizeof(quad), (int)sizeof(struct s));
  return 0;
}
