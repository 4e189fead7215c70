// A value and its complement.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = ~x;
  while (__VERIFIER_nondet_int()) { x++; y--; }
  if (x + y != 0xffffffffu) reach_error();
}
