// From one parameter to another.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int from = __VERIFIER_nondet_int(), to = __VERIFIER_nondet_int();
  if (from > to) return 0;
  int i = from;
  while (i < to) i++;
  if (i != to) reach_error();
}
