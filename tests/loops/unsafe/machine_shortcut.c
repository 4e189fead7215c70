// A way around a state.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int state = 0, ready = 0;
  while (__VERIFIER_nondet_int()) {
    if (state == 0) state = 1;
    else if (state == 1) { if (__VERIFIER_nondet_int()) ready = 1; state = 2; }
    else { if (!ready) reach_error(); state = 0; }
  }
}
