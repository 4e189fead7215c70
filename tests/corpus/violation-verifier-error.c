// Feature: the older name of the error function, in a nested call
// Ended: error call __VERIFIER_error
extern void __VERIFIER_error(void) __attribute__((__noreturn__));

static int check(int n) {
  if (n == 3) {
  ERROR:
    __VERIFIER_error(); // ends here
  }
  return n;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++) sum += check(i);
  return sum;
}
