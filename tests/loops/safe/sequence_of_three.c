// Three loops, the last undoes the first.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x++; y += 4; }
  while (__VERIFIER_nondet_int()) y += 8;
  while (__VERIFIER_nondet_int()) x += 2;
  if (y % 4 != 0) reach_error();
}
