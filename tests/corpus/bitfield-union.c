// Feature: bit-fields in a union over a word
// Exit: 0
// Output: 78 3456 12 8
// Output: 12abcd78
// Output: 12abcd7f 4
int printf(const char *, ...);

union word {
  unsigned all;
  struct {
    unsigned low : 8;
    unsigned middle : 16;
    unsigned high : 8;
  } part;
  unsigned nibble : 4;
};

int main(void) {
  union word w = {.all = 0x12345678};
  printf("%x %x %x %x\n", w.part.low, w.part.middle, w.part.high, w.nibble);
  w.part.middle = 0xabcd;
  printf("%x\n", w.all);
  w.nibble = 0x1f;
  printf("%x %d\n", w.all, (int)sizeof w);
  return 0;
}
