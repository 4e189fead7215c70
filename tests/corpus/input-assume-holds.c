// Feature: an assumption that holds has no effect
// Inputs: 8 3
// Exit: 0
// Output: 24
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int printf(const char *, ...);

int main(void) {
  int a = __VERIFIER_nondet_int();
  __VERIFIER_assume(a > 0 && a < 10);
  int b = __VERIFIER_nondet_int();
  __VERIFIER_assume(b);
  printf("%d\n", a * b);
  return 0;
}
