// Feature: labels have function scope and may stand before any statement, stacked too
// Exit: 0
// Output: 10 21 7
int printf(const char *, ...);

static int f(int n) {
  if (n) goto b;
a: b: c:
  n++;
  if (n < 5) goto a;
  if (n < 10) goto c;
  {
    goto end;
  end:;
  }
  return n;
}
static int g(void) {
a:
  return 7;
}

int main(void) {
  int a = f(0);
  printf("%d %d %d\n", a, f(20), g());
  return 0;
}
