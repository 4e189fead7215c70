// A total over both loops has a remainder.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned total = 0;
  while (__VERIFIER_nondet_int()) {
    int j = 0;
    while (j < 8) { total += 2; j++; }
  }
  if (total % 2 == 1) reach_error();
}
