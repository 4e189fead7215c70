// Two values change places.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 1, y = 2;
  while (__VERIFIER_nondet_int()) { int t = x; x = y; y = t; }
  if (x + y != 3) reach_error();
}
