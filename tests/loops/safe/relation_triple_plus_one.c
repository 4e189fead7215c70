// y == 3*x + 1.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned x = 0, y = 1;
  while (__VERIFIER_nondet_int()) { x++; y += 3; }
  if (y != 3 * x + 1) reach_error();
}
