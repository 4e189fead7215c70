// Two cells that grow together.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[2] = {0, 0};
  while (__VERIFIER_nondet_int()) { a[0]++; a[1]++; }
  if (a[0] != a[1]) reach_error();
}
