// Feature: each operator up to its limit, and the multiplication beyond it
// Ended: signed overflow
// Output: -2147483648 2147483647 2147483647
// Output: -128 4294967295
// Gcc: no
int printf(const char *, ...);

int main(void) {
  int low = -2147483647;
  low--;
  int high = -(low + 1), product = 46341 * 46340;
  printf("%d %d %d\n", low, high, product - 2147441940 + 2147483647);
  signed char c = 127;
  c++;
  unsigned u = high;
  u = u * 2 + 1;
  printf("%d %u\n", c, u);
  product = product + 0 * low;
  product = 46341 * (product / 46340); // ends here
  return product;
}
