// Feature: exit ends the program from anywhere, with the low eight bits of its argument
// Exit: 17
// Output: exiting
void exit(int);
int printf(const char *, ...);

static void deep(int n) {
  if (n == 0) {
    printf("exiting\n");
    exit(256 + 17);
  }
  deep(n - 1);
}

int main(void) {
  deep(5);
  printf("never\n");
  return 0;
}
