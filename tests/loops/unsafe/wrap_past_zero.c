// An unsigned counter passes zero.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned i = 5;
  while (__VERIFIER_nondet_int()) i--;
  if (i > 5) reach_error();
}
