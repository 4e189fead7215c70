// An odd number stays odd.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned x = 1;
  while (__VERIFIER_nondet_int()) x += 2;
  if (x % 2 == 0) reach_error();
}
