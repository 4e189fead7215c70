// Feature: signed overflow of a negation
// Ended: signed overflow
// Gcc: no
int main(void) {
  int low = -2147483647 - 1;
  long long wide = -(long long)low;
  if (wide != 2147483648LL) return 1;
  low = -low; // ends here
  return 0;
}
