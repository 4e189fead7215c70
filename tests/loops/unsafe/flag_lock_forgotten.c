// One way forgets to unlock.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int lock = 0;
  while (__VERIFIER_nondet_int()) {
    if (lock) reach_error();
    lock = 1;
    if (__VERIFIER_nondet_int() == 3) continue;
    lock = 0;
  }
}
