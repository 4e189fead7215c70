// Feature: compound literals of structures, arrays and scalars
// Exit: 1
// Output: 10
// Output: 21
// Output: 5 2 9
// Output: 43 6
// Output: 0 0 1 0 6
int printf(const char *, ...);

struct point {
  int x, y;
};
static int sum(const int *cells, int n) { return n ? *cells + sum(cells + 1, n - 1) : 0; }
static int area(struct point p) { return p.x * p.y; }
static struct point *global = &(struct point){8, 9};

int main(void) {
  printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
  printf("%d\n", area((struct point){.y = 3, .x = 7}));
  struct point *p = &(struct point){1, 2};
  p->x = 5;
  printf("%d %d %d\n", p->x, p->y, global->y);
  int *scalar = &(int){42};
  ++*scalar;
  printf("%d %d\n", *scalar, (struct point){4, 6}.y);
  for (int i = 0; i < 2; i++) {
    int *fresh = (int[2]){i};
    printf("%d %d ", fresh[0], fresh[1]);
    fresh[1] = 9;
  }
  printf("%d\n", (int)sizeof((char[]){"sized"}));
  struct point a;
  a = (struct point){1};
  return a.x + a.y;
}
