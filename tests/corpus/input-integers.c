// Feature: nondeterministic inputs of the integer types
// Inputs: 5 -7 4000000000 -9000000000 200 -100 65535 1
// Exit: 0
// Output: 5 -7 4000000000 -9000000000 200 -100 65535 1
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long long __VERIFIER_nondet_longlong(void);
unsigned char __VERIFIER_nondet_uchar(void);
char __VERIFIER_nondet_char(void);
unsigned short __VERIFIER_nondet_ushort(void);
_Bool __VERIFIER_nondet_bool(void);
int printf(const char *, ...);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  unsigned u = __VERIFIER_nondet_uint();
  long long w = __VERIFIER_nondet_longlong();
  unsigned char c = __VERIFIER_nondet_uchar();
  char d = __VERIFIER_nondet_char();
  unsigned short s = __VERIFIER_nondet_ushort();
  _Bool t = __VERIFIER_nondet_bool();
  printf("%d %d %u %lld %d %d %d %d\n", a, b, u, w, c, d, s, t);
  return 0;
}
