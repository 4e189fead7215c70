// Feature: the value of an assignment is that of the left side after it
// Exit: 0
// Output: 4 4 4
// Output: 44
// Output: 7
// Output: 3.0
// Output: 38
int printf(const char *, ...);

int main(void) {
  int a, b, c;
  unsigned char u;
  a = b = c = 4;
  printf("%d %d %d\n", a, b, c);
  a = u = 300;
  printf("%d\n", a);
  a = (b = 3) + (c = 4);
  printf("%d\n", a);
  if ((a = 0)) printf("never\n");
  double d = a = 3.9;
  printf("%.1f\n", d);
  printf("%d\n", (u += 250));
  return 0;
}
