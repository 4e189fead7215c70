// Feature: comparisons with NaN
// Exit: 1
// Output: 0 1 0
// Output: 0 0 1
// Output: 1 0
// Output: 1
// Output: 0
int printf(const char *, ...);

int main(void) {
  double zero = 0.0;
  double nan = zero / zero;
  printf("%d %d %d\n", nan == nan, nan != nan, nan < 1.0);
  printf("%d %d %d\n", nan > 1.0, nan <= nan, !(nan >= 1.0));
  printf("%d %d\n", nan ? 1 : 0, !nan);
  double propagated = nan * 0 + 1;
  printf("%d\n", propagated != propagated);
  float f = nan;
  printf("%d\n", f == f);
  return (_Bool)nan;
}
