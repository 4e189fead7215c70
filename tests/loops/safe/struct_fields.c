// Fields of a structure.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct pair { int first, second; };
int main(void) {
  struct pair p = {0, 0};
  while (__VERIFIER_nondet_int()) { p.first += 2; p.second++; }
  if (p.first != 2 * p.second) reach_error();
}
