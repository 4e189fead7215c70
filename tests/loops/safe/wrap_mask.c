// A masked counter stays in its ring.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned at = 0;
  while (__VERIFIER_nondet_int()) {
    at = (at + 1) & 63;
    if (at >= 64) reach_error();
  }
}
