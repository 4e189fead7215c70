// Head, tail and size of a queue.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned put = 0, got = 0, size = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) { if (size < 16) { put++; size++; } }
    else if (size > 0) { got++; size--; }
    if (size > 16) reach_error();
  }
  if (put - got != size) reach_error();
}
