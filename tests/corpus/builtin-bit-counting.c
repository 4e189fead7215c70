// Feature: clz, ctz, ffs, popcount, parity in all widths
// Exit: 0
// Output: 24 4 4
// Output: 8 52 4
// Output: 0 4 41
// Output: 1 0
// Output-ILP32: 31 5 32
// Output-LP64: 63 5 64
// Output: 0
// Output: 31 23
int printf(const char *, ...);

int main(void) {
  unsigned u = 0x00f0;
  unsigned long long w = 0x00f0000000000000ull;
  printf("%d %d %d\n", __builtin_clz(u), __builtin_ctz(u), __builtin_popcount(u));
  printf("%d %d %d\n", __builtin_clzll(w), __builtin_ctzll(w), __builtin_popcountll(w));
  printf("%d %d %d\n", __builtin_ffs(0), __builtin_ffs(8), __builtin_ffsll(1LL << 40));
  printf("%d %d\n", __builtin_parity(7), __builtin_parityll(w));
  printf("%d %d %d\n", __builtin_clzl(1), __builtin_ctzl(32), __builtin_popcountl(-1L));
  printf("%d\n", __builtin_clz(-1));
  printf("%d %d\n", __builtin_clrsb(0), __builtin_clrsb(-256));
  return 0;
}
