// A bound in a range.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 10 || n > 1000) return 0;
  int i = 0, x = n;
  while (i < n) { i++; x++; }
  if (x > 2000) reach_error();
}
