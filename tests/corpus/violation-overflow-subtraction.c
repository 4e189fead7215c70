// Feature: signed overflow of a subtraction of inputs
// Inputs: -2147483648 1
// Ended: signed overflow
// Gcc: no
int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  return a - b; // ends here
}
