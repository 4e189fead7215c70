// Multiples of four stay such across the end of the range.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned x = 0;
  while (__VERIFIER_nondet_int()) x += 4;
  if (x % 4 != 0) reach_error();
}
