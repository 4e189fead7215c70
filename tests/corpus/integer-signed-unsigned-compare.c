// Feature: comparing a negative number with an unsigned one converts it to unsigned
// Exit: 0
// Output: 0 1 1
// Output: 1 0
// Output: 0 1
// Output: 1
// Output: -2,-1,0,1,
// Output: 0
int printf(const char *, ...);

int main(void) {
  int minus = -1;
  unsigned one = 1;
  unsigned char small = 255;
  signed char negative = -1;
  unsigned short us = 65535;
  short s = -1;
  printf("%d %d %d\n", minus < one, minus > one, minus == 4294967295u);
  printf("%d %d\n", negative < small, negative == small);
  printf("%d %d\n", s == us, s < us);
  printf("%d\n", minus < (long long)one);
  for (int i = -2; i < (int)sizeof(short); i++) printf("%d,", i);
  printf("\n%d\n", -2 < sizeof(short));
  return 0;
}
