// Feature: pointers survive a round trip through an integer of their size
// Exit: 0
// Output: 2
// Output: 3
// Output: 1
// Output: 0
// Output: 1 0
#include <stdint.h>
#include <stdio.h>

int main(void) {
  int cells[3] = {1, 2, 3};
  uintptr_t address = (uintptr_t)&cells[1];
  int *p = (int *)address;
  printf("%d\n", *p);
  int *next = (int *)(address + sizeof(int));
  printf("%d\n", *next);
  printf("%d\n", (uintptr_t)next - (uintptr_t)cells == 2 * sizeof(int));
  printf("%d\n", (int)(address % _Alignof(int)));
  printf("%d %d\n", (int *)(intptr_t)0 == NULL, (void *)16 == NULL);
  return 0;
}
