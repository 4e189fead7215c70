// Feature: statement expressions: value, scope, side effects, jumps out
// Exit: 0
// Output: 18 9 -1
// Output: 7
// Output: 1 9
// Output: 4 9
// Output: 0
int printf(const char *, ...);

static int early(int n) {
  int x = ({
    if (n < 0) return -1;
    n * 2;
  });
  return x + 1;
}

int main(void) {
  int a = 3;
  int b = ({ int a = 10; a += 5; a; }) + a;
  printf("%d %d %d\n", b, early(4), early(-4));
  int sum = 0;
  for (int i = 0; i < 5; i++) sum += ({ if (i == 3) continue; i; });
  printf("%d\n", sum);
  struct { int x, y; } s = ({ typeof(s) t = {1, 2}; t.y = 9; t; });
  printf("%d %d\n", s.x, s.y);
  ({ a++; (void)0; });
  printf("%d %d\n", a, ({ ({ a * 2; }) + 1; }));
  a = a > 100 && ({ a = 0; 1; });
  printf("%d\n", a);
  return 0;
}
