// A lock with versions.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int lock = 0;
  unsigned old, new = 0;
  do {
    if (lock) reach_error();
    lock = 1;
    old = new;
    if (__VERIFIER_nondet_int()) {
      if (!lock) reach_error();
      lock = 0;
      new++;
    }
  } while (new != old);
  if (!lock) reach_error();
}
