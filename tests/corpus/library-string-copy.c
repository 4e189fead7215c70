// Feature: strlen, strcpy, strncpy, strcat, strncat, strdup
// Exit: 0
// Output: 0 4
// Output: one two three
// Output: ab 0 x
// Output: abc
// Output: Duplicate same
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char buffer[32] = "";
  printf("%zu %zu\n", strlen(""), strlen("four"));
  strcpy(buffer, "one");
  strcat(buffer, " two");
  strncat(buffer, " threefour", 6);
  printf("%s\n", buffer);
  char fixed[6];
  memset(fixed, 'x', sizeof fixed);
  strncpy(fixed, "ab", 5);
  printf("%s %d %c\n", fixed, fixed[4], fixed[5]);
  strncpy(fixed, "abcdefgh", 3);
  printf("%.5s\n", fixed);
  char *copy = strdup("duplicate");
  copy[0] = 'D';
  printf("%s %s\n", copy, strcpy(buffer, "x") == buffer ? "same" : "other");
  free(copy);
  return 0;
}
