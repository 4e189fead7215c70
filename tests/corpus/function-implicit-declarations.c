// Feature: calls without a prototype promote their arguments; int is implied
// Exit: 0
// Output: 63
// Output: A 1.5 -2
// Output: 13
int printf();
helper();
static global = 3;

main() {
  char c = 'A';
  float f = 1.5;
  short s = -2;
  printf("%d\n", helper(c, s));
  printf("%c %.1f %d\n", c, f, s);
  printf("%d\n", later(2) + global);
  return 0;
}

helper(a, b) int a, b; { return a + b; }
int later(int x) { return x * 5; }
