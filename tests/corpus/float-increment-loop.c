// Feature: floats as loop counters
// Exit: 10
// Output: 10
// Output: 11
// Output: 10
int printf(const char *, ...);

int main(void) {
  int n = 0;
  for (float f = 0.0f; f < 1.0f; f += 0.1f) n++;
  printf("%d\n", n);
  n = 0;
  for (double d = 0.0; d < 1.0; d += 0.1) n++;
  printf("%d\n", n);
  n = 0;
  for (double d = 10; d--;) n++;
  printf("%d\n", n);
  return n;
}
