// Feature: escape sequences in character constants
// Exit: 25
// Output: 10 9 0 92 39
// Output: 7 8 12 11
// Output: 13 34 63
// Output: 65 65 7
// Output: 27
// Output: 4 97
int printf(const char *, ...);

int main(void) {
  printf("%d %d %d %d %d\n", '\n', '\t', '\0', '\\', '\'');
  printf("%d %d %d %d\n", '\a', '\b', '\f', '\v');
  printf("%d %d %d\n", '\r', '"', '\?');
  printf("%d %d %d\n", '\x41', '\101', '\7');
  printf("%d\n", '\e');
  printf("%d %d\n", (int)sizeof 'a', 'a');
  return 'z' - 'a';
}
