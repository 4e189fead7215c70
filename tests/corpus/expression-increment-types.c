// Feature: ++ and -- on integers, floats and pointers, before and after
// Exit: 0
// Output: 255 0
// Output: 1
// Output: 1.5 -1.5
// Output: 2.5 -1.5
// Output: 10 30 20 20 10
// Output: 0
// Output: 30
// Output: 11
int printf(const char *, ...);

int main(void) {
  unsigned char c = 255;
  short s = 32767;
  float f = 1.5f;
  double d = -0.5;
  int cells[] = {10, 20, 30}, *p = cells;
  long long ll = -1;
  printf("%d ", c++);
  printf("%d\n", c);
  printf("%d\n", ++s < 0);
  printf("%.1f %.1f\n", f++, --d);
  printf("%.1f %.1f\n", f, d);
  printf("%d ", *p++);
  printf("%d ", *++p);
  printf("%d ", *--p);
  printf("%d ", *p--);
  printf("%d\n", *p);
  printf("%lld\n", ++ll);
  printf("%d\n", (*p)++ + cells[1]);
  printf("%d\n", cells[0]);
  return 0;
}
