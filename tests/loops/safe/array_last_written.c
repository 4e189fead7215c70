// What was written last can be read.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[100] = {0};
  int at = 0, value = 0;
  while (__VERIFIER_nondet_int()) {
    at = __VERIFIER_nondet_int();
    if (at < 0 || at >= 100) break;
    value = __VERIFIER_nondet_int();
    a[at] = value;
  }
  if (at >= 0 && at < 100 && a[at] != value) reach_error();
}
