// Feature: break and continue concern the innermost loop
// Exit: 0
// Output: 6 15
int printf(const char *, ...);

int main(void) {
  int pairs = 0, primes = 0;
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) {
      if (j > i) break;
      if ((i + j) % 2) continue;
      pairs++;
    }
    if (i == 3) break;
  }
  for (int n = 2; n < 50; n++) {
    int d = 2;
    while (d * d <= n) {
      if (n % d == 0) break;
      d++;
    }
    if (d * d > n) primes++;
  }
  printf("%d %d\n", pairs, primes);
  return 0;
}
