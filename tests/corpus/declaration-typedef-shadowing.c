// Feature: a typedef name can be shadowed by a variable, a parameter or a member
// Exit: 1
// Output: 3 6 5
// Output: 15 6
// Output: 3
// Output: 44 1
int printf(const char *, ...);

typedef int T;
typedef struct {
  T T;
} holder;

static T twice(T x) { return x * 2; }
static int named(int T) { return T + 1; }

int main(void) {
  T a = 3;
  holder h = {a};
  printf("%d %d %d\n", h.T, twice(a), named(4));
  {
    int T = 5;
    int product = T * a;
    printf("%d %d\n", product, (T) + 1);
  }
  T *p = &a;
  printf("%d\n", *p);
  {
    typedef char T;
    T c = 300 & 0xff;
    printf("%d %d\n", c, (int)sizeof(T));
  }
T:
  return sizeof(T) == sizeof(int);
}
