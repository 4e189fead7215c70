// Two flags, never both.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int left = 1, right = 0;
  while (__VERIFIER_nondet_int()) {
    if (left) { left = 0; right = 1; } else { right = 0; left = 1; }
    if (left && right) reach_error();
  }
}
