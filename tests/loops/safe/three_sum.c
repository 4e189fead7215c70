// The third is the sum of the others.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned a = 0, b = 0, c = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) { a++; c++; } else { b += 2; c += 2; }
  }
  if (a + b != c) reach_error();
}
