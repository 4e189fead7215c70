// Once failed, always failed.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int failed = 0, good = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) { failed = 1; good = 0; }
    else if (!failed) good = 1;
  }
  if (failed && good) reach_error();
}
