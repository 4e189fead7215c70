// Feature: memcpy, memmove, memset, memcmp, memchr
// Exit: 0
// Output: ababcdgh abcdefgh
// Output: defgh
// Output: 1 0 1
// Output: llo 1
// Output: -1 -1
// Output: 1010101
// Output: 1 2.5
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[] = "abcdefgh", copy[9];
  memcpy(copy, text, sizeof text);
  memmove(text + 2, text, 4);
  printf("%s %s\n", text, copy);
  memmove(copy, copy + 3, 6);
  printf("%s\n", copy);
  printf("%d %d %d\n", memcmp("abc", "abd", 3) < 0, memcmp("abc", "abd", 2), memcmp("\xff", "\x01", 1) > 0);
  char *found = memchr("hello", 'l', 5);
  printf("%s %d\n", found, memchr("hello", 'z', 5) == NULL);
  int cells[3];
  memset(cells, -1, sizeof cells);
  printf("%d %d\n", cells[0], cells[2]);
  memset(cells, 0x101, sizeof cells);
  printf("%x\n", cells[1]);
  struct { int a; double b; } s = {1, 2.5}, t;
  memcpy(&t, &s, sizeof s);
  printf("%d %.1f\n", t.a, t.b);
  return 0;
}
