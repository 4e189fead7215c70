// Feature: goto out of nested loops and blocks
// Exit: 0
// Output: 607 909 -1
// Output: 7 3
int printf(const char *, ...);

static int search(int wanted) {
  int i, j;
  for (i = 0; i < 10; i++)
    for (j = 0; j < 10; j++)
      while (1) {
        if (i * j == wanted) goto found;
        break;
      }
  return -1;
found:
  return i * 100 + j;
}

int main(void) {
  printf("%d %d %d\n", search(42), search(81), search(97));
  int phase = 0;
  {
    int local = 5;
  retry:
    local = 7;
    if (phase++ < 2) goto retry;
    printf("%d %d\n", local, phase);
  }
  return 0;
}
