// The result comes through a pointer.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void step(int *x) { if (*x < 1000) *x += 1; }
int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int()) step(&x);
  if (x > 1000) reach_error();
}
