// A counter modulo ten.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned at = 0;
  while (__VERIFIER_nondet_int()) {
    at = (at + 3) % 10;
    if (at > 9) reach_error();
  }
}
