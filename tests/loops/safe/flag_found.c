// A flag says that a value was seen.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int found = 0, at = -1, i = 0;
  while (i < 100000) {
    if (__VERIFIER_nondet_int() == 7 && !found) { found = 1; at = i; }
    i++;
  }
  if (found && at < 0) reach_error();
}
