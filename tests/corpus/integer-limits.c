// Feature: the limits of the integer types
// Exit: 0
// Output: -128 127 255
// Output: -128 127
// Output: -32768 32767 65535
// Output: -2147483648 2147483647 4294967295
// Output-ILP32: -2147483648 2147483647 4294967295
// Output-LP64: -9223372036854775808 9223372036854775807 18446744073709551615
// Output: -9223372036854775808 9223372036854775807 18446744073709551615
// Output: 8
#include <limits.h>
#include <stdio.h>

int main(void) {
  printf("%d %d %d\n", SCHAR_MIN, SCHAR_MAX, UCHAR_MAX);
  printf("%d %d\n", CHAR_MIN, CHAR_MAX);
  printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
  printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
  printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
  printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
  printf("%d\n", CHAR_BIT);
  return 0;
}
