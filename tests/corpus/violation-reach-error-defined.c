// Feature: reach_error with a body, as newer verification tasks define it
// Ended: error call reach_error
// Gcc: no
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern void abort(void);
void reach_error() { __assert_fail("0", "task.c", 3, "reach_error"); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error(); // ends here
    abort();
  }
}

int main(void) {
  int i;
  for (i = 0; i < 10; i += 3) {}
  __VERIFIER_assert(i == 12);
  __VERIFIER_assert(i == 10);
  return 0;
}
