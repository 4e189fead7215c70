// Feature: strtol saturates at the limits and sets errno
// Exit: 0
// Output: 1 1
// Output: 1 1
// Output: 1
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  errno = 0;
  long high = strtol("99999999999999999999", NULL, 10);
  printf("%d %d\n", high == LONG_MAX, errno == ERANGE);
  errno = 0;
  long low = strtol("-99999999999999999999", NULL, 10);
  printf("%d %d\n", low == LONG_MIN, errno == ERANGE);
  unsigned long wrapped = strtoul("-1", NULL, 10);
  printf("%d\n", wrapped == ULONG_MAX);
  return 0;
}
