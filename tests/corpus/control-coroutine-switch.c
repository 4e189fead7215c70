// Feature: a coroutine built on a switch into a loop
// Exit: 0
// Output: 10,20,21,30,31,32,end -1
int printf(const char *, ...);

static int next(void) {
  static int state, i, j;
  switch (state) {
    case 0:
      for (i = 1; i <= 3; i++) {
        for (j = 0; j < i; j++) {
          state = 1;
          return i * 10 + j;
          case 1:;
        }
      }
  }
  state = 2;
  return -1;
}

int main(void) {
  for (int n = next(); n >= 0; n = next()) printf("%d,", n);
  printf("end %d\n", next());
  return 0;
}
