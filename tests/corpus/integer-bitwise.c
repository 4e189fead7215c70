// Feature: and, or, exclusive or and complement on signed and unsigned operands
// Exit: 0
// Output: 4080 -6 -4086 5
// Output: a5a5a500 5a5a5a5a
// Output: fffffffffffffffa
// Output: 0
// Output: fffffffffffffffa
int printf(const char *, ...);

int main(void) {
  int a = -6, b = 0x0ff0;
  unsigned u = 0xa5a5a5a5;
  unsigned long long w = 0xffffffff00000000ull;
  printf("%d %d %d %d\n", a & b, a | b, a ^ b, ~a);
  printf("%x %x\n", u & ~0xffu, u ^ -1);
  printf("%llx\n", w | a);
  printf("%llx\n", w & u);
  printf("%llx\n", w ^ (unsigned)a);
  return 0;
}
