// Feature: remainder by zero, unsigned
// Ended: division by zero
// Gcc: no
// Inputs: 0
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned d = __VERIFIER_nondet_uint(), n = 7;
  double fine = 1.0 / d;
  n %= d; // ends here
  return fine > n;
}
