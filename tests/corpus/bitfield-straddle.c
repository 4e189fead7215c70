// Feature: a bit-field that does not fit its unit moves to the next, unless packed
// Exit: 0
// Output: 8 5
// Output: fffff 1
// Output: debc5a3412
// Output: 0 12345
int printf(const char *, ...);

struct plain {
  unsigned a : 20;
  unsigned b : 20;
};
struct __attribute__((packed)) packed {
  unsigned a : 20;
  unsigned b : 20;
};

int main(void) {
  struct plain p = {0xfffff, 1};
  struct packed q = {0xabcde, 0x12345};
  printf("%d %d\n", (int)sizeof p, (int)sizeof q);
  printf("%x %x\n", p.a, p.b);
  unsigned char *bytes = (unsigned char *)&q;
  for (int i = 0; i < 5; i++) printf("%02x", bytes[i]);
  printf("\n");
  q.a = 0;
  printf("%x %x\n", q.a, q.b);
  return 0;
}
