// Stops at a value or earlier.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i = 0;
  while (i != 1000000 && __VERIFIER_nondet_int()) i++;
  if (i > 1000000) reach_error();
}
