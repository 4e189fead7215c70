// A lock is taken and given back in turn.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int lock = 0;
  while (__VERIFIER_nondet_int()) {
    if (lock) reach_error();
    lock = 1;
    if (__VERIFIER_nondet_int()) { lock = 0; continue; }
    lock = 0;
  }
}
