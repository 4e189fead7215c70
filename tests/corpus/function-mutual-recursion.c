// Feature: mutual recursion
// Exit: 0
// Output: 1 1 0
// Output: 01,01,12,22,23,33,44,45,
int printf(const char *, ...);

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static int female(int n);
static int male(int n) { return n ? n - female(male(n - 1)) : 0; }
static int female(int n) { return n ? n - male(female(n - 1)) : 1; }

int main(void) {
  printf("%d %d %d\n", is_even(100), is_odd(7), is_even(13));
  for (int i = 0; i < 8; i++) printf("%d%d,", male(i), female(i));
  printf("\n");
  return 0;
}
