// A byte counts around; its sum with its mirror stays.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned char x = 0, y = 255;
  while (__VERIFIER_nondet_int()) { x++; y--; }
  if ((unsigned char)(x + y) != 255) reach_error();
}
