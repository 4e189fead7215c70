// Feature: pointers to pointers
// Exit: 0
// Output: 10
// Output: 2 2
// Output: 10
// Output: 15 2
// Output: one o wo
int printf(const char *, ...);

static void redirect(int **where, int *target) { *where = target; }

int main(void) {
  int a = 1, b = 2, *p = &a, **pp = &p, ***ppp = &pp;
  **pp = 10;
  printf("%d\n", a);
  *pp = &b;
  printf("%d %d\n", *p, ***ppp);
  redirect(&p, &a);
  printf("%d\n", **pp);
  ***ppp += 5;
  printf("%d %d\n", a, b);
  char *words[] = {"zero", "one", "two"}, **w = words;
  printf("%s ", *++w);
  printf("%c %s\n", **w, w[1] + 1);
  return 0;
}
