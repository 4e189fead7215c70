// Feature: assigning a union copies all its bytes
// Exit: 0
// Output: Jello world hello world
// Output: h 12
int printf(const char *, ...);

union u {
  char tag;
  char text[12];
};

int main(void) {
  union u a = {.text = "hello world"}, b;
  b = a;
  a.tag = 'J';
  printf("%s %s\n", a.text, b.text);
  union u *p = &a;
  *p = b;
  printf("%c %d\n", p->tag, (int)sizeof *p);
  return 0;
}
