// Open, use, close.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int open = 0, uses = 0;
  while (__VERIFIER_nondet_int()) {
    int what = __VERIFIER_nondet_int();
    if (what == 0 && !open) open = 1;
    else if (what == 1 && open) uses++;
    else if (what == 2 && open) { open = 0; uses = 0; }
    if (uses != 0 && !open) reach_error();
  }
}
