// The inner loop moves the outer counter on.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i = 0;
  while (i < 100000) {
    while (i < 100000 && __VERIFIER_nondet_int()) i++;
    if (i < 100000) i++;
  }
  if (i != 100000) reach_error();
}
