// Feature: reading past the terminator of a string literal
// Ended: invalid dereference
// Gcc: no
// Output: abc
int printf(const char *, ...);

int main(void) {
  const char *s = "abc";
  printf("%s\n", s);
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += s[i]; // ends here
  return sum;
}
