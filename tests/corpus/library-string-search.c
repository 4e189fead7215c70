// Feature: strchr, strrchr, strstr, strspn, strcspn
// Exit: 0
// Output: -b-c -c
// Output: 1 0
// Output: in haystack 1
// Output: abc
// Output: 6 2
#include <stdio.h>
#include <string.h>

int main(void) {
  const char *text = "a-b-c";
  printf("%s %s\n", strchr(text, '-'), strrchr(text, '-'));
  printf("%d %d\n", strchr(text, 'z') == NULL, *strchr(text, 0));
  printf("%s %d\n", strstr("needle in haystack", "in"), strstr("abc", "abd") == NULL);
  printf("%s\n", strstr("abc", ""));
  printf("%zu %zu\n", strspn("112233x", "123"), strcspn("hello", "lo"));
  return 0;
}
