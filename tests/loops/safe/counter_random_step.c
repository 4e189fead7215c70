// A step of one or two.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i = 0;
  while (i < 100000) {
    if (__VERIFIER_nondet_int()) i += 1; else i += 2;
  }
  if (i > 100001) reach_error();
}
