// Feature: arrays of strings, as pointers and as rows of characters
// Exit: 0
// Output: [ab][cde][]
// Output: 4 12
// Output: xy d z
// Output: Qy
int printf(const char *, ...);

int main(void) {
  const char *names[] = {"ab", "cde", "", 0};
  char rows[3][4] = {"xy", "abcd", "z"};
  for (int i = 0; names[i]; i++) printf("[%s]", names[i]);
  printf("\n%d %d\n", (int)(sizeof names / sizeof *names), (int)sizeof rows);
  printf("%s %c %s\n", rows[0], rows[1][3], rows[2]);
  rows[0][0] = 'Q';
  names[2] = rows[0];
  printf("%s\n", names[2]);
  return 0;
}
