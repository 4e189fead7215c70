// Feature: L, u, U and u8 prefixes of characters and strings
// Exit: 0
// Output: 16 6 8 3
// Output: 61 3b1 7a 0
// Output: 78 79 0
// Output: 1f600 0
// Output: c3 a9 0
// Output: 3b1 7a 1f600
#include <stddef.h>
#include <stdio.h>

int main(void) {
  wchar_t wide[] = L"a\x3b1z";
  unsigned short sixteen[] = u"xy";
  unsigned int thirty_two[] = U"\U0001F600";
  char eight[] = u8"\u00e9";
  printf("%d %d %d %d\n", (int)sizeof wide, (int)sizeof sixteen, (int)sizeof thirty_two, (int)sizeof eight);
  printf("%x %x %x %x\n", wide[0], wide[1], wide[2], wide[3]);
  printf("%x %x %x\n", sixteen[0], sixteen[1], sixteen[2]);
  printf("%x %x\n", thirty_two[0], thirty_two[1]);
  printf("%x %x %x\n", (unsigned char)eight[0], (unsigned char)eight[1], eight[2]);
  printf("%x %x %x\n", L'\x3b1', u'z', U'\U0001F600');
  return 0;
}
