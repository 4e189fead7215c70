// Feature: bit-fields hold their width and no more
// Exit: 0
// Output: 1 31 7 fffff
// Output: 7 1 -8 0
// Output: 4
int printf(const char *, ...);

struct flags {
  unsigned a : 3;
  unsigned b : 5;
  int c : 4;
  unsigned d : 20;
};

int main(void) {
  struct flags f = {9, 31, 7, 0xfffff};
  printf("%d %d %d %x\n", f.a, f.b, f.c, f.d);
  f.a = 15;
  f.b += 2;
  f.c = 8;
  f.d++;
  printf("%d %d %d %x\n", f.a, f.b, f.c, f.d);
  printf("%d\n", (int)sizeof f);
  return 0;
}
