// Feature: puts, putchar and fputs to standard output
// Exit: 0
// Output: line
// Output: abcd
// Output: no newline!
// Output: 5
// Output: x
// Output: 120
#include <stdio.h>

int main(void) {
  puts("line");
  for (char c = 'a'; c < 'e'; c++) putchar(c);
  putchar('\n');
  fputs("no newline", stdout);
  fputc('!', stdout);
  putc('\n', stdout);
  fprintf(stdout, "%d\n", 5);
  int r = putchar(256 + 'x');
  printf("\n%d\n", r);
  fflush(stdout);
  return 0;
}
