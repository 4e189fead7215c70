// A timer that is reset in time.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int timer = 0, state = 0;
  while (__VERIFIER_nondet_int()) {
    if (state == 0) { timer = 0; if (__VERIFIER_nondet_int()) state = 1; }
    else {
      timer++;
      if (timer >= 30) state = 0;
    }
    if (timer > 30) reach_error();
  }
}
