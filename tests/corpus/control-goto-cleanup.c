// Feature: the clean-up idiom with labels at the end of a function
// Exit: 0
// Output: -110 -101 -111
#include <stdio.h>
#include <stdlib.h>

static int work(int fail_at) {
  int result = -1;
  char *a = NULL, *b = NULL;
  a = malloc(10);
  if (fail_at == 1) goto free_a;
  b = malloc(20);
  if (fail_at == 2) goto free_b;
  result = 0;
free_b:
  free(b);
  result -= 10;
free_a:
  free(a);
  result -= 100;
  return result;
}

int main(void) {
  printf("%d %d %d\n", work(0), work(1), work(2));
  return 0;
}
