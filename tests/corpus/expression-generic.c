// Feature: _Generic selects by the type of its operand
// Exit: 0
// Output: char short int int
// Output: int uint long llong
// Output: double float other
// Output: char* int* int
// Output: int uint float
// Output: const char*
// Output: 0
int printf(const char *, ...);

#define NAME(x) _Generic((x), char: "char", signed char: "schar", unsigned char: "uchar", \
  short: "short", int: "int", unsigned: "uint", long: "long", unsigned long: "ulong",      \
  long long: "llong", float: "float", double: "double", char *: "char*",                   \
  const char *: "const char*", int *: "int*", default: "other")

int main(void) {
  char c = 0;
  short s = 0;
  const int constant = 3;
  int array[3];
  printf("%s %s %s %s\n", NAME(c), NAME(s), NAME(+s), NAME('a'));
  printf("%s %s %s %s\n", NAME(1), NAME(1u), NAME(1l), NAME(1ll));
  printf("%s %s %s\n", NAME(1.0), NAME(1.0f), NAME(1.0L));
  printf("%s %s %s\n", NAME("text"), NAME(array), NAME(constant));
  printf("%s %s %s\n", NAME(c + c), NAME(1 + 1u), NAME(1 ? 1 : 1.0f));
  printf("%s\n", NAME((const char *)0));
  int i = 0;
  _Generic(i++, int: 0, default: 1);
  printf("%d\n", i);
  return 0;
}
