// Feature: line markers, also in the middle of an expression
// Exit: 0
// Output: 42
# 10 "original.c" 1
int printf(const char *, ...);
# 1 "header.h" 1 3 4

extern int from_header(int);
# 20 "original.c" 2
int from_header(int x) {
  return x +
# 30 "original.c"
    1
# 40 "original.c"
  ;
}

int main(void) {
  printf("%d\n", from_header(
# 50 "original.c" 3 4
    41));
  return 0;
}
