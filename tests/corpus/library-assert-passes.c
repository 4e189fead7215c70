// Feature: an assertion that holds has no effect, and its condition is evaluated once
// Exit: 0
// Output: 1
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n = 0;
  assert(++n == 1);
  assert(n && "message");
  assert(&n != NULL);
  printf("%d\n", n);
  return 0;
}
