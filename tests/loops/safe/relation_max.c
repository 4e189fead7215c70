// Keeps the largest value so far.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int max = 0;
  while (__VERIFIER_nondet_int()) {
    int x = __VERIFIER_nondet_int();
    if (x > max) max = x;
    if (max < x) reach_error();
  }
  if (max < 0) reach_error();
}
