// Feature: a tokeniser on top of the string functions
// Exit: 0
// Output: -37 0 97
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int evaluate(const char *text) {
  int sum = 0, sign = 1;
  while (*text) {
    if (isspace((unsigned char)*text)) {
      text++;
    } else if (isdigit((unsigned char)*text)) {
      int value = 0;
      while (isdigit((unsigned char)*text)) value = value * 10 + (*text++ - '0');
      sum += sign * value;
      sign = 1;
    } else {
      sign = *text++ == '-' ? -1 : 1;
    }
  }
  return sum;
}

int main(void) {
  printf("%d %d %d\n", evaluate("1 + 2 - 40"), evaluate(""), evaluate("100-1-1 -1"));
  return 0;
}
