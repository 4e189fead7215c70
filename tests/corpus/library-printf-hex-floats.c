// Feature: %a
// Exit: 0
// Output: 0x1p+0 0x1.999999999999ap-4 -0x1.4p+1
// Output: 0x2.00p+0 0X1.FFP+7
// Output: 0x0p+0
int printf(const char *, ...);

int main(void) {
  printf("%a %a %a\n", 1.0, 0.1, -2.5);
  printf("%.2a %A\n", 1.999, 255.5);
  printf("%a\n", 0.0);
  return 0;
}
