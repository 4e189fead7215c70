// Feature: widening extends the sign of signed types and zeroes for unsigned ones
// Exit: 0
// Output: 253 -3 4294967293
// Output: 18446744073709551613 253 4294967295
// Output: -2147483648 2147483648
int printf(const char *, ...);

int main(void) {
  signed char sc = -3;
  unsigned char uc = sc;
  short s = sc;
  unsigned us = sc;
  unsigned long long from_signed = sc, from_unsigned = uc, from_int = (unsigned)-1;
  long long wide = (int)0x80000000;
  printf("%u %d %u\n", uc, s, us);
  printf("%llu %llu %llu\n", from_signed, from_unsigned, from_int);
  printf("%lld %lld\n", wide, (long long)0x80000000);
  return 0;
}
