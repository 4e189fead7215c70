// Feature: exact-width types and their constant macros
// Exit: 0
// Output: -128 65535 -2147483648 18446744073709551615
// Output-ILP32: 4 8 2
// Output-LP64: 8 8 2
// Output: 127 0 0
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  int8_t a = INT8_MIN;
  uint16_t b = UINT16_MAX;
  int32_t c = INT32_MIN;
  uint64_t d = UINT64_C(0xffffffffffffffff);
  intptr_t p = -1;
  printf("%" PRId8 " %" PRIu16 " %" PRId32 " %" PRIu64 "\n", a, b, c, d);
  printf("%d %d %d\n", (int)sizeof p, (int)sizeof(intmax_t), (int)sizeof(int_least16_t));
  a--;
  b++;
  d++;
  printf("%d %d %d\n", a, b, (int)d);
  return 0;
}
