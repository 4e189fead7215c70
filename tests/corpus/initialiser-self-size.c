// Feature: a variable is in scope in its own initialiser
// Exit: 8
// Output: 3 1 4
// Output: 2
int printf(const char *, ...);

int main(void) {
  int cells[3] = {1, 2, sizeof cells == 12 ? 3 : 4};
  void *self = &self;
  int n = sizeof n;
  printf("%d %d %d\n", cells[2], self == &self, n);
  int x = 1;
  {
    int y = x, x = y + 1;
    printf("%d\n", x);
  }
  struct {
    int length;
    char bytes[sizeof(int) * 2];
  } s = {sizeof s.bytes};
  return s.length;
}
