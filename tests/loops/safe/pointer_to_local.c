// A counter behind a pointer.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 0, y = 0;
  int *p = &x;
  while (__VERIFIER_nondet_int()) { (*p)++; y++; }
  if (x != y) reach_error();
}
