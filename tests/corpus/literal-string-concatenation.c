// Feature: adjacent string literals are one
// Exit: 0
// Output: abc
// Output: 10 4 49
// Output: 1
int printf(const char *, ...);
int puts(const char *);

int main(void) {
  char text[] = "one" " " "two"
                "\x4"
                "1";
  puts("a" "b" "c");
  printf("%d %d %d\n", (int)sizeof text, text[7], text[8]);
  printf("%d\n", (int)sizeof("" "" ""));
  return 0;
}
