// Feature: signed overflow in 64 bits, and none in unsigned arithmetic
// Ended: signed overflow
// Output: 0
// Gcc: no
int printf(const char *, ...);

int main(void) {
  unsigned long long u = 1ull << 63;
  u += u;
  printf("%llu\n", u);
  long long n = 0x7fffffffffffffffLL;
  n += 1; // ends here
  printf("%lld\n", n);
  return 0;
}
