// Feature: sprintf and snprintf return the full length and terminate
// Exit: 0
// Output: 6 12-abc
// Output: 9 trun #
// Output: 5
// Output: 0,1,2,3,
#include <stdio.h>
#include <string.h>

int main(void) {
  char buffer[16];
  int n = sprintf(buffer, "%d-%s", 12, "abc");
  printf("%d %s\n", n, buffer);
  memset(buffer, '#', sizeof buffer);
  n = snprintf(buffer, 5, "%s", "truncated");
  printf("%d %s %c\n", n, buffer, buffer[5]);
  n = snprintf(NULL, 0, "%05d", 42);
  printf("%d\n", n);
  char *p = buffer;
  for (int i = 0; i < 4; i++) p += sprintf(p, "%d,", i);
  printf("%s\n", buffer);
  return 0;
}
