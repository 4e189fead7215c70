// Feature: return from inside loops, switch and blocks
// Exit: 0
// Output: 2 -7 -1
// Output: 50 4
int printf(const char *, ...);

static int first_even(const int *cells, int n) {
  for (int i = 0; i < n; i++) {
    switch (cells[i] % 2) {
      case 0: return i;
      default: do { if (cells[i] == 7) return -7; } while (0);
    }
  }
  return -1;
}
static void nothing(int *p) {
  if (*p > 3) return;
  *p = 50;
}

int main(void) {
  int a[] = {1, 3, 4}, b[] = {5, 7, 8}, c[] = {1};
  printf("%d %d %d\n", first_even(a, 3), first_even(b, 3), first_even(c, 1));
  nothing(&a[0]);
  nothing(&a[2]);
  printf("%d %d\n", a[0], a[2]);
  return 0;
}
