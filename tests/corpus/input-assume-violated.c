// Feature: an assumption that does not hold ends the run
// Inputs: 50
// Ended: assumption violated
// Output: before
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void reach_error(void);
int puts(const char *);

int main(void) {
  int a = __VERIFIER_nondet_int();
  puts("before");
  __VERIFIER_assume(a < 10); // ends here
  puts("after");
  reach_error();
  return 0;
}
