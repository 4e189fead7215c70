// Feature: shifts of unsigned values of every width
// Exit: 0
// Output: e0 f
// Output: f0 f
// Output: f0 f
// Output: f0 f
// Output: f0000000 f00000000000000
#include <stdio.h>
#include <stdint.h>

int main(void) {
  uint8_t a = 0xf0;
  uint16_t b = 0xf00f;
  uint32_t c = 0xf000000f;
  uint64_t d = 0xf00000000000000full;
  printf("%x %x\n", (uint8_t)(a << 1), a >> 4);
  printf("%x %x\n", (uint16_t)(b << 4), b >> 12);
  printf("%x %x\n", c << 4, c >> 28);
  printf("%llx %llx\n", (unsigned long long)(d << 4), (unsigned long long)(d >> 60));
  c <<= 28, d >>= 4;
  printf("%x %llx\n", c, (unsigned long long)d);
  return 0;
}
