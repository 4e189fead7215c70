// Feature: a zero byte in a string literal, and its size
// Exit: 0
// Output: ab 6
// Output: cd
// Output: 0 51
// Output: 2
int printf(const char *, ...);

int main(void) {
  char text[] = "ab\0cd";
  printf("%s %d\n", text, (int)sizeof text);
  printf("%s\n", text + 3);
  printf("%d %d\n", "12\0003"[2], "12\0003"[3]);
  printf("%d\n", (int)sizeof "\0");
  return 0;
}
