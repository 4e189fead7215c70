// Feature: void pointers convert without a cast, and GNU arithmetic on them counts bytes
// Exit: 0
// Output: 2.5 1.5 t2 s1
// Output: 4
int printf(const char *, ...);

static void swap(void *a, void *b, int size) {
  char *x = a, *y = b;
  while (size-- > 0) {
    char t = *x;
    *x++ = *y;
    *y++ = t;
  }
}

int main(void) {
  double d = 1.5, e = 2.5;
  struct {
    char c;
    int n;
  } s = {'s', 1}, t = {'t', 2};
  swap(&d, &e, sizeof d);
  swap(&s, &t, sizeof s);
  printf("%.1f %.1f %c%d %c%d\n", d, e, s.c, s.n, t.c, t.n);
  int cells[2] = {3, 4};
  void *v = cells;
  v += sizeof(int);
  printf("%d\n", *(int *)v);
  return 0;
}
