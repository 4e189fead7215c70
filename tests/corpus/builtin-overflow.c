// Feature: arithmetic builtins that report overflow
// Exit: 0
// Output: 1 -2147483648
// Output: 0 11
// Output: 1 4294967294
// Output: 1 -56
// Output: 0 -1
// Output: 1 0
// Output: 1 4294967295
// Output: 1 -2
// Output: 1 4294967295
// Output: 1
int printf(const char *, ...);

int main(void) {
  int i;
  unsigned u;
  signed char c;
  long long ll;
  int o = __builtin_add_overflow(2147483647, 1, &i);
  printf("%d %d\n", o, i);
  o = __builtin_add_overflow(5, 6, &i);
  printf("%d %d\n", o, i);
  o = __builtin_sub_overflow(3u, 5u, &u);
  printf("%d %u\n", o, u);
  o = __builtin_mul_overflow(100, 2, &c);
  printf("%d %d\n", o, c);
  o = __builtin_mul_overflow(-1, 1u, &i);
  printf("%d %d\n", o, i);
  o = __builtin_mul_overflow(1LL << 40, 1LL << 30, &ll);
  printf("%d %lld\n", o, ll);
  o = __builtin_add_overflow(-1, 0, &u);
  printf("%d %u\n", o, u);
  o = __builtin_sadd_overflow(2147483647, 2147483647, &i);
  printf("%d %d\n", o, i);
  o = __builtin_usub_overflow(1, 2, &u);
  printf("%d %u\n", o, u);
  printf("%d\n", __builtin_add_overflow_p(2147483647, 1, 0));
  return 0;
}
