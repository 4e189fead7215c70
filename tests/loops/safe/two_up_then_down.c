// Up together, then down together.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x++; y++; }
  while (x != 0) { x--; y--; }
  if (y != 0) reach_error();
}
