// Feature: chains of casts narrow and widen step by step
// Exit: 1
// Output: -128
// Output: 128
// Output: -128
// Output: 255
// Output: 4294967295
// Output: -1
// Output: 65
// Output: 0
int printf(const char *, ...);

int main(void) {
  int i = 0x1ff80;
  printf("%d\n", (int)(signed char)i);
  printf("%d\n", (int)(unsigned char)i);
  printf("%d\n", (int)(short)(unsigned short)i);
  printf("%u\n", (unsigned)(unsigned char)(signed char)-1);
  printf("%u\n", (unsigned)(signed char)(unsigned char)255);
  printf("%lld\n", (long long)(int)0xffffffffffLL);
  printf("%d\n", (int)(char)(float)65.9f);
  printf("%d\n", (int)(_Bool)(char)256);
  (void)i;
  return (unsigned char)-1 == 255 ? 1 : 2;
}
