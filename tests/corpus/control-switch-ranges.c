// Feature: GNU ranges in case labels
// Exit: 0
// Output: digit hex hex negative five other
int printf(const char *, ...);

static const char *kind(int c) {
  switch (c) {
    case '0' ... '9': return "digit";
    case 'a' ... 'f': case 'A' ... 'F': return "hex";
    case -10 ... -1: return "negative";
    case 5: return "five";
  }
  return "other";
}

int main(void) {
  printf("%s %s %s %s %s %s\n", kind('7'), kind('c'), kind('F'), kind(-10), kind(5), kind('g'));
  return 0;
}
