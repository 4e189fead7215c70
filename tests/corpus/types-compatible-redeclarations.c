// Feature: compatible declarations of one function or object combine
// Exit: 0
// Output: 3 9 8
int printf(const char *, ...);

int f();
int f(int, double);
extern int table[];
extern int table[2];
int f(int a, double b) { return a + b; }
int table[] = {1, 2};
static int g(void);
static int h(void) { return g(); }
int g(void) { return 9; }
typedef int same;
typedef int same;

int main(void) {
  same s = f(1, 2.5);
  printf("%d %d %d\n", s, h(), (int)sizeof table);
  int printf(const char *, ...);
  return 0;
}
