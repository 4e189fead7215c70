// What goes in and out adds up.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int in = 0, out = 0, store = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) { in++; store++; }
    else if (store > 0) { out++; store--; }
  }
  if (in - out != store) reach_error();
}
