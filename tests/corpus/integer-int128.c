// Feature: 128-bit integers
// Data-model: LP64
// Exit: 0
// Output: fdbac097c8dc5accdeec6cd7a44a4100
// Output: 0fedcba9876543210000000000000000
// Output: fffffffffffffffffffffffffffffffb
// Output: fffffffffffffffffffffffffffffffd
// Output: 0000000441c288f36ca9ef673de6bc32
// Output: -2 1
// Output: 16 16
// Output: 293836136711889027072.0
int printf(const char *, ...);

static void show(unsigned __int128 value) {
  printf("%016llx%016llx\n", (unsigned long long)(value >> 64), (unsigned long long)value);
}

int main(void) {
  unsigned __int128 a = 0xfedcba9876543210ull;
  __int128 negative = -5;
  show(a * a);
  show(a << 60);
  show(negative);
  show(negative >> 1);
  show((a * a) / 1000000007u);
  printf("%d %d\n", (int)(negative % 3), negative < 0);
  printf("%d %d\n", (int)sizeof(a), (int)_Alignof(__int128));
  printf("%.1f\n", (double)(a * 16));
  return 0;
}
