// Feature: character arrays from string literals
// Exit: 0
// Output: 4 3 4 2 3
// Output: c xyz hi 0 255
// Output: one four no 2
// Output: 9 bc d
int printf(const char *, ...);

int main(void) {
  char exact[] = "abc", cut[3] = "abc", braces[] = {"xyz"}, longer[8] = {"hi"};
  unsigned char u[] = "\xff";
  char chars[] = {'a', 'b', 0};
  printf("%d %d %d %d %d\n", (int)sizeof exact, (int)sizeof cut, (int)sizeof braces, (int)sizeof u, (int)sizeof chars);
  printf("%c %s %s %d %d\n", cut[2], braces, longer, longer[7], u[0]);
  struct {
    char name[4];
    int n;
  } s[] = {{"one", 1}, {"four", 4}, "no", 2};
  printf("%s %.4s %s %d\n", s[0].name, s[1].name, s[2].name, s[2].n);
  char rows[][3] = {"a", {"bc"}, {'d'}};
  printf("%d %s %s\n", (int)sizeof rows, rows[1], rows[2]);
  return 0;
}
