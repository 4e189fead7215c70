// 3*x == 2*y.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x += 2; y += 3; }
  if (3 * x != 2 * y) reach_error();
}
