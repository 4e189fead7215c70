// Feature: negative indices relative to a pointer inside an array
// Exit: 0
// Output: 12345
// Output: 2
// Output: 1
// Output: c
int printf(const char *, ...);

int main(void) {
  int cells[5] = {1, 2, 3, 4, 5};
  int *middle = cells + 2;
  for (int i = -2; i <= 2; i++) printf("%d", middle[i]);
  printf("\n");
  unsigned char offset = 1;
  printf("%d\n", *(middle - offset));
  long minus = -2;
  printf("%d\n", middle[minus]);
  char *last = "abc" + 3;
  printf("%c\n", last[-1]);
  return 0;
}
