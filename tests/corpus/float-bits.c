// Feature: the representation of floats, seen through memcpy
// Exit: 0
// Output: 3f800000 c0200000 3dcccccd
// Output: 80000000 00000001
// Output: c0091eb851eb851f
// Output: 3.125000
int printf(const char *, ...);

static unsigned bits(float f) {
  unsigned u;
  __builtin_memcpy(&u, &f, sizeof u);
  return u;
}

int main(void) {
  printf("%08x %08x %08x\n", bits(1.0f), bits(-2.5f), bits(0.1f));
  printf("%08x %08x\n", bits(-0.0f), bits(1e-45f));
  double d = -3.14;
  unsigned long long u;
  __builtin_memcpy(&u, &d, sizeof u);
  printf("%016llx\n", u);
  u = 0x4009000000000000ull;
  __builtin_memcpy(&d, &u, sizeof d);
  printf("%f\n", d);
  return 0;
}
