// Feature: strcmp, strncmp compare bytes as unsigned
// Exit: 0
// Output: -1 1 0
// Output: -1 -1
// Output: 1
// Output: 0 -1
// Output: 0
#include <stdio.h>
#include <string.h>

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
  printf("%d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("same", "same"));
  printf("%d %d\n", sign(strcmp("ab", "abc")), sign(strcmp("", "a")));
  printf("%d\n", sign(strcmp("\x80", "a")));
  printf("%d %d\n", strncmp("abcX", "abcY", 3), sign(strncmp("abcX", "abcY", 4)));
  printf("%d\n", strncmp("a", "b", 0));
  return 0;
}
