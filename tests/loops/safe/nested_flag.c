// The inner loop clears what the outer sets.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int busy = 0;
  while (__VERIFIER_nondet_int()) {
    if (busy) reach_error();
    busy = 1;
    do { if (__VERIFIER_nondet_int()) busy = 0; } while (busy);
  }
}
