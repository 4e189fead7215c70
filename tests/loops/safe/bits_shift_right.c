// Shifting right never makes it larger.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), first = x;
  while (x != 0 && __VERIFIER_nondet_int()) x >>= 1;
  if (x > first) reach_error();
}
