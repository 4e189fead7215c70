// Feature: 64-bit arithmetic, on a 32-bit machine too
// Exit: 121
// Output: 123455801358024 123457776666666 -124999
// Output: 986541666 -987654321
// Output: 18446688733643 350628
// Output: 3858024656635781
// Output: 1 1
int printf(const char *, ...);

int main(void) {
  long long a = 123456789012345LL, b = -987654321LL;
  unsigned long long u = 18446744073709551557ull;
  printf("%lld %lld %lld\n", a + b, a - b, a / b);
  printf("%lld %lld\n", a % b, b % a);
  printf("%llu %llu\n", u / 1000003, u % 1000003);
  printf("%lld\n", a * 1000 >> 5);
  printf("%d %d\n", a > b, u > a);
  return (int)(a & 0x7f);
}
