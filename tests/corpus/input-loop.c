// Feature: a loop driven by inputs
// Inputs: 3 10 20 -5 99
// Exit: 25
// Output: 3 25
extern int __VERIFIER_nondet_int();
int printf(const char *, ...);

int main() {
  int n = __VERIFIER_nondet_int(), sum = 0;
  for (int i = 0; i < n; i++) sum += __VERIFIER_nondet_int();
  printf("%d %d\n", n, sum);
  return sum;
}
