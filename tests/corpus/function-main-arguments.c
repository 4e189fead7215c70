// Feature: the parameters of main when the program is run without arguments
// Exit: 1
// Output: 1 1
// Output: 1
int printf(const char *, ...);

int main(int argc, char **argv) {
  printf("%d %d\n", argc, argv[argc] == 0);
  printf("%d\n", argv[0] != 0);
  return argc;
}
