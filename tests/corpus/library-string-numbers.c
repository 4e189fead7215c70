// Feature: atoi, strtol, strtoul and where they stop
// Exit: 0
// Output: 42 -7 3 0
// Output: 123 abc
// Output: 255 z
// Output: 15 -5 0
// Output: 31
// Output: 4000000000
// Output: -9000000000
// Output: 99999
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *end;
  printf("%d %d %d %d\n", atoi("42"), atoi("  -7x"), atoi("+3"), atoi("none"));
  long decimal = strtol("123abc", &end, 10);
  printf("%ld %s\n", decimal, end);
  long hex = strtol("0xffz", &end, 16);
  printf("%ld %s\n", hex, end);
  long automatic = strtol("017", NULL, 0), binary = strtol("-101", &end, 2);
  printf("%ld %ld %d\n", automatic, binary, *end);
  printf("%ld\n", strtol("0x1F", NULL, 0));
  printf("%lu\n", strtoul("4000000000", NULL, 10));
  printf("%lld\n", strtoll("-9000000000", NULL, 10));
  printf("%ld\n", atol("99999"));
  return 0;
}
