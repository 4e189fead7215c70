// Feature: unsigned arithmetic wraps around
// Exit: 0
// Output-ILP32: 4294967295 4294967295 18446744073709551615 255 65535
// Output-LP64: 4294967295 18446744073709551615 18446744073709551615 255 65535
// Output: 1
// Output: 1
// Output: 4294967294
// Output: 4294967295
// Output: 1 2
// Output: 2465395958572223728
#include <stdio.h>

int main(void) {
  unsigned u = 0;
  unsigned long ul = 0;
  unsigned long long ull = 0;
  unsigned char c = 0;
  unsigned short s = 0;
  u--, ul--, ull--, c--, s--;
  printf("%u %lu %llu %u %u\n", u, ul, ull, c, s);
  printf("%u\n", u * u);
  printf("%u\n", 0x80000000u + 0x80000001u);
  printf("%u\n", 3u - 5u);
  printf("%u\n", -1u);
  c += 2, s += 3;
  printf("%u %u\n", c, s);
  printf("%llu\n", 0xfedcba9876543210ull * 0x123456789abcdefull);
  return 0;
}
