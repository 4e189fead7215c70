// A bit that is toggled with a counter.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned n = 0;
  int even = 1;
  while (__VERIFIER_nondet_int()) { n++; even = !even; }
  if (even != (n % 2 == 0)) reach_error();
}
