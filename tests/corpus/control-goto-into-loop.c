// Feature: goto into the body of a loop and into a branch
// Exit: 3
// Output: 6 21212
// Output: branch 0
// Output: branch 1
// Output: branch 2
int printf(const char *, ...);

int main(void) {
  int i = 3, trace = 0;
  goto inside;
  for (i = 0; i < 6; i++) {
    trace = trace * 10 + 1;
  inside:
    trace = trace * 10 + 2;
  }
  printf("%d %d\n", i, trace);
  int again = 0;
  goto branch;
  if (again > 100) {
  branch:
    printf("branch %d\n", again);
    if (++again < 3) goto branch;
  } else {
    printf("else\n");
  }
  return again;
}
