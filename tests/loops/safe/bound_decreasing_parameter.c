// A parameter that is counted down.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), left = n, done = 0;
  if (n <= 0) return 0;
  while (left > 0) { left--; done++; }
  if (done != n) reach_error();
}
