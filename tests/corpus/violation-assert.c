// Feature: a failed assertion
// Ended: assertion failed
// Output: start
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n = 3;
  puts("start");
  assert(n == 3);
  n--;
  assert(n > 2); // ends here
  puts("never");
  return 0;
}
