// Three counters in step.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 0, y = 0, z = 0;
  while (__VERIFIER_nondet_int()) { x++; y++; z++; }
  if (x != z || y != z) reach_error();
}
