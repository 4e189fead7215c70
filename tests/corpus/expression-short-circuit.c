// Feature: && and || evaluate their right operand only if it is needed
// Exit: 10
// Output: 0 1
// Output: 1 2
// Output: 1 4
// Output: 1 7
// Output: 1 10
int printf(const char *, ...);

static int calls;
static int say(int value) {
  calls++;
  return value;
}

int main(void) {
  int a = say(0) && say(1);
  printf("%d %d\n", a, calls);
  a = say(1) || say(0);
  printf("%d %d\n", a, calls);
  a = say(2) && say(3);
  printf("%d %d\n", a, calls);
  a = say(0) || say(0) || say(9);
  printf("%d %d\n", a, calls);
  int *null = 0;
  a = null && *null;
  a += (say(0) && say(1)) || (say(1) && say(5));
  printf("%d %d\n", a, calls);
  return calls;
}
