// A bound that is not known.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  int i = 0;
  while (i < n) i++;
  if (i != n) reach_error();
}
