// A function that forgets one case.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int next(int x) { return x == 4 ? x : x + 1; }
int main(void) {
  int x = 0, n = 0;
  while (n < 8 && __VERIFIER_nondet_int()) { x = next(x); n++; }
  if (x != n) reach_error();
}
