// The least is never more than the largest.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int min = x, max = x;
  while (__VERIFIER_nondet_int()) {
    x = __VERIFIER_nondet_int();
    if (x < min) min = x;
    if (x > max) max = x;
  }
  if (min > max) reach_error();
}
