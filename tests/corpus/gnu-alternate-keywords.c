// Feature: spellings with underscores of keywords
// Exit: 0
// Output: 4 6 5 6 -1
// Output: 7 8 4
int printf(const char *, ...);

static __inline__ int twice(int x) { return x * 2; }
static __inline int thrice(int x) { return x * 3; }
static __const int c = 5;
static __volatile__ int v = 6;
static __signed__ char s = -1;
__extension__ typedef long long wide;

int main(void) {
  int *__restrict__ p = (int *)&c;
  __extension__ wide w = __extension__ 7LL;
  __typeof__(w) u = (__typeof(w))8;
  printf("%d %d %d %d %d\n", twice(2), thrice(2), *p, v, s);
  printf("%lld %lld %d\n", w, u, (int)__alignof__(int));
  return 0;
}
