// Feature: walking strings with pointers
// Exit: 0
// Output: 7 proviso
// Output: osivorp
int printf(const char *, ...);

static int length(const char *s) {
  const char *p = s;
  while (*p) p++;
  return p - s;
}
static char *copy(char *to, const char *from) {
  char *start = to;
  while ((*to++ = *from++)) {}
  return start;
}
static void reverse(char *s) {
  for (char *e = s + length(s) - 1; s < e; s++, e--) {
    char c = *s;
    *s = *e;
    *e = c;
  }
}

int main(void) {
  char buffer[16];
  printf("%d %s\n", length("proviso"), copy(buffer, "proviso"));
  reverse(buffer);
  printf("%s\n", buffer);
  return 0;
}
