// A binary search stays in its range.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0 || n > 1000000) return 0;
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (middle < 0 || middle >= n) reach_error();
    if (__VERIFIER_nondet_int()) low = middle + 1; else high = middle;
  }
}
