// Feature: a numerical loop in double precision
// Exit: 0
// Output: 1.414213562373095 6
// Output: 3.140592653840
int printf(const char *, ...);

int main(void) {
  double x = 2.0, previous = 0.0;
  int steps = 0;
  while (x != previous && steps < 100) {
    previous = x;
    x = (x + 2.0 / x) / 2.0;
    steps++;
  }
  printf("%.15f %d\n", x, steps);
  double pi = 0;
  for (int k = 0; k < 1000; k++) pi += (k % 2 ? -4.0 : 4.0) / (2 * k + 1);
  printf("%.12f\n", pi);
  return 0;
}
