// Feature: division truncates towards zero and the remainder has the sign of the dividend
// Exit: 0
// Output: 7/2=3,1
// Output: 7/-2=-3,1
// Output: 7/3=2,1
// Output: 7/-3=-2,1
// Output: 7/7=1,0
// Output: 7/-7=-1,0
// Output: 7/8=0,7
// Output: 7/-8=0,7
// Output: -7/2=-3,-1
// Output: -7/-2=3,-1
// Output: -7/3=-2,-1
// Output: -7/-3=2,-1
// Output: -7/7=-1,0
// Output: -7/-7=1,0
// Output: -7/8=0,-7
// Output: -7/-8=0,-7
// Output: -922337203685477580 -7
// Output: 2147483644 1
int printf(const char *, ...);

int main(void) {
  int values[] = {7, -7};
  int divisors[] = {2, -2, 3, -3, 7, -7, 8, -8};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 8; j++)
      printf("%d/%d=%d,%d\n", values[i], divisors[j], values[i] / divisors[j], values[i] % divisors[j]);
  printf("%lld %lld\n", -9223372036854775807LL / 10, -9223372036854775807LL % 10);
  printf("%u %u\n", -7 / 2u, -7 % 2u);
  return 0;
}
