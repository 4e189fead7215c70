// A loop in a function.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int count(int n) {
  int i = 0;
  while (i < n) i++;
  return i;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= 0 && count(n) != n) reach_error();
}
