// Feature: comments of both kinds and lines continued with a backslash
// Exit: 0
// Output: no /* comment */ here // either
// Output: continued
// Output: 3 4
int pri\
ntf(const char *, ...);

/* a comment // with another
   "and a quote */ int a = 1; /**/ int b = 2; // one \
that goes on: int a = 5;
int main(void) {
  const char *s = "no /* comment */ here // either", *t = "contin\
ued";
  printf("%s\n%s\n", s, t);
  int c = a /*/ not the end */ + b;
  int quotient = 12 /**// 3;
  printf("%d %d\n", c, quotient);
  return 0; // the end
}
