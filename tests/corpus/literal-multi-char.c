// Feature: constants of several characters pack them into an int
// Exit: 0
// Output: 24930
// Output: 61626364
// Output: 10203
// Output: 1
int printf(const char *, ...);

int main(void) {
  printf("%d\n", 'ab');
  printf("%x\n", 'abcd');
  printf("%x\n", '\1\2\3');
  printf("%d\n", 'AB' == 'A' * 256 + 'B');
  return 0;
}
