// Either of two counters moves; their sum counts the rounds.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned x = 0, y = 0, n = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) x++; else y++;
    n++;
  }
  if (x + y != n) reach_error();
}
