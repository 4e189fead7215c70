// Feature: _Thread_local and __thread objects of a single thread
// Exit: 0
// Output: 10
// Output: 5 -2
int printf(const char *, ...);

static __thread int a = 3;
_Thread_local int b;

static int step(void) {
  static _Thread_local int count = 5;
  return ++count + a++ + b--;
}

int main(void) {
  step();
  printf("%d\n", step());
  printf("%d %d\n", a, b);
  return 0;
}
