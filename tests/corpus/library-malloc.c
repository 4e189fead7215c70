// Feature: malloc, calloc, realloc and free
// Exit: 0
// Output: 9 7 5
// Output: 0 1
// Output: 3
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int *a = malloc(4 * sizeof *a), *z = calloc(5, sizeof(int));
  if (!a || !z) return 1;
  for (int i = 0; i < 4; i++) a[i] = i * i;
  int zeros = 0;
  for (int i = 0; i < 5; i++) zeros += z[i] == 0;
  a = realloc(a, 100 * sizeof *a);
  a[99] = 7;
  printf("%d %d %d\n", a[3], a[99], zeros);
  a = realloc(a, 2 * sizeof *a);
  printf("%d %d\n", a[0], a[1]);
  free(a);
  free(z);
  free(NULL);
  int *fresh = realloc(NULL, sizeof(int));
  *fresh = 3;
  printf("%d\n", *fresh);
  free(fresh);
  return 0;
}
