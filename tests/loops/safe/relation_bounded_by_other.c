// Never more of the one than of the other.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int made = 0, taken = 0;
  while (made < 100000) {
    made++;
    if (__VERIFIER_nondet_int() && taken < made) taken++;
  }
  if (taken > made) reach_error();
}
