// Feature: a call of reach_error is located at the call
// Inputs: 4
// Ended: error call reach_error
// Output: reached
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int puts(const char *);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x * x == 16) {
    puts("reached");
    reach_error(); // ends here
  }
  return 0;
}
