// A pointer pair that never crosses.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int low = 0, high = 100000;
  while (low < high) {
    if (__VERIFIER_nondet_int()) low++; else high--;
  }
  if (low != high) reach_error();
}
