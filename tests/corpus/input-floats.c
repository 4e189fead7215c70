// Feature: nondeterministic inputs of floating type
// Inputs: 1.5 -0.1 1e300
// Exit: 0
// Output: 1.50 -0.10000000000000001 1e+300
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
int printf(const char *, ...);

int main(void) {
  float f = __VERIFIER_nondet_float();
  double d = __VERIFIER_nondet_double(), e = __VERIFIER_nondet_double();
  printf("%.2f %.17g %g\n", f, d, e);
  return f < 0 ? 1 : 0;
}
