// Feature: qsort and bsearch call back into the program
// Exit: 0
// Output: 1 3 3 7 8 9 apple fig pear 1
// Output: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static int ascending(const void *a, const void *b) {
  calls++;
  return *(const int *)a - *(const int *)b;
}
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
  int cells[] = {9, 3, 7, 1, 8, 3};
  qsort(cells, 6, sizeof *cells, ascending);
  for (int i = 0; i < 6; i++) printf("%d ", cells[i]);
  char *words[] = {"pear", "apple", "fig"};
  qsort(words, 3, sizeof *words, by_text);
  printf("%s %s %s %d\n", words[0], words[1], words[2], calls > 4);
  int key = 7, *found = bsearch(&key, cells, 6, sizeof *cells, ascending);
  printf("%d\n", (int)(found - cells));
  return 0;
}
