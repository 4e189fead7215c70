// The distance of two counters stays five.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned x = 0, y = 5;
  while (__VERIFIER_nondet_int()) { x += 7; y += 7; }
  if (y - x != 5) reach_error();
}
