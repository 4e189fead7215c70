// Feature: functions that do not return
// Exit: 9
// Output: 0
// Output: 1
// Output: 2
// Output: stopping
_Noreturn void exit(int);
int printf(const char *, ...);

static _Noreturn void stop(int status) {
  printf("stopping\n");
  exit(status);
}
__attribute__((noreturn)) static void die(void) { stop(9); }
static int checked(int n) {
  if (n > 2) die();
  return n;
}

int main(void) {
  for (int i = 0;; i++) printf("%d\n", checked(i));
}
