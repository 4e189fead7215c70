// Feature: a string literal is an array: it can be indexed, and an index can come first
// Exit: 0
// Output: eoc
// Output: x
// Output: y
// Output: 6
// Output: l.o.o.p.
int printf(const char *, ...);

int main(void) {
  int i = 2;
  printf("%c%c%c\n", "hello"[1], 4["hello"], i["abc"]);
  printf("%c\n", *"xyz");
  printf("%c\n", *("xyz" + 1));
  printf("%d\n", (int)sizeof "hello");
  for (const char *p = "loop"; *p; p++) printf("%c.", *p);
  printf("\n");
  return 0;
}
