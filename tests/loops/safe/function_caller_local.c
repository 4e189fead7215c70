// A loop in a function, a relation with a local of its caller.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

unsigned done;
static void work(unsigned n) {
  while (n > 0) { done++; n--; }
}
int main(void) {
  unsigned wanted = 0;
  while (__VERIFIER_nondet_int()) {
    unsigned n = __VERIFIER_nondet_uint();
    wanted += n;
    work(n);
  }
  if (done != wanted) reach_error();
}
