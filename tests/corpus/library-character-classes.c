// Feature: the classification functions of ctype.h
// Exit: 0
// Output: 10100101
// Output: 10101000
// Output: 01100001
// Output: 00010000
// Output: 00010000
// Output: 00000010
// Output: 00000010
// Output: Qq1
// Output: 0 1
#include <ctype.h>
#include <stdio.h>

int main(void) {
  const char *sample = "aZ5 \n_~";
  for (const char *p = sample; *p; p++) {
    int c = (unsigned char)*p;
    printf("%d%d%d%d%d%d%d%d\n", !!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c), !!isupper(c),
           !!islower(c), !!ispunct(c), !!isxdigit(c));
  }
  printf("%c%c%c\n", toupper('q'), tolower('Q'), toupper('1'));
  printf("%d %d\n", !!isprint('\t'), !!iscntrl('\t'));
  return 0;
}
