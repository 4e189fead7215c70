// Skips part of the body; the counter goes on.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i = 0, skipped = 0;
  while (i < 10000) {
    i++;
    if (__VERIFIER_nondet_int()) { skipped++; continue; }
  }
  if (skipped > 10000) reach_error();
}
