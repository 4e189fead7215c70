// Feature: hashing and checksums in unsigned arithmetic
// Exit: 0
// Output: ebf07843 811c9dc5
// Output: cbf43926
// Output: 2a28a393f766986c
int printf(const char *, ...);

static unsigned fnv(const char *s) {
  unsigned h = 2166136261u;
  while (*s) h = (h ^ (unsigned char)*s++) * 16777619u;
  return h;
}
static unsigned crc(const char *s) {
  unsigned c = ~0u;
  while (*s) {
    c ^= (unsigned char)*s++;
    for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
  }
  return ~c;
}
static unsigned long long mix(unsigned long long x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33;
  return x;
}

int main(void) {
  printf("%08x %08x\n", fnv("proviso"), fnv(""));
  printf("%08x\n", crc("123456789"));
  printf("%016llx\n", mix(12345));
  return 0;
}
