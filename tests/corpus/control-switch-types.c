// Feature: the switch expression is promoted; labels are converted to its type
// Exit: 0
// Output: 1 0
// Output: 1 2 3 0
// Output: 1 2 3
// Output: x
// Output: 4
int printf(const char *, ...);

static int byte(unsigned char c) {
  switch (c) {
    case 255: return 1;
    case -1: return 2;
  }
  return 0;
}
static int wide(long long n) {
  switch (n) {
    case 0x100000000LL: return 1;
    case 0: return 2;
    case -1: return 3;
  }
  return 0;
}
static int word(unsigned n) {
  switch (n) {
    case -1: return 1;
    case 2 + 3 * 4: return 2;
    case sizeof(int): return 3;
  }
  return 0;
}

int main(void) {
  printf("%d %d\n", byte(255), byte(1));
  printf("%d %d %d %d\n", wide(0x100000000LL), wide(0), wide(-1), wide(0xffffffff));
  printf("%d %d %d\n", word(0xffffffff), word(14), word(4));
  switch ((char)'x') { case 'x': printf("x\n"); }
  switch (1) printf("never\n");
  switch (3) { int i; case 3: i = 4; printf("%d\n", i); }
  return 0;
}
