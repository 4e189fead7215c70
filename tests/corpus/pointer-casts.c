// Feature: looking at an object through pointers of other types
// Exit: 0
// Output: 44 11 dd
// Output: aabb00dd
// Output: 5
// Output: 2241
int printf(const char *, ...);

int main(void) {
  unsigned words[2] = {0x11223344, 0xaabbccdd};
  unsigned char *bytes = (unsigned char *)words;
  printf("%x %x %x\n", bytes[0], bytes[3], bytes[4]);
  *(bytes + 5) = 0;
  printf("%x\n", words[1]);
  char buffer[8] = {1, 0, 0, 0, 2, 0, 0, 0};
  struct pair {
    int a, b;
  } *p = (struct pair *)words;
  p->a = 5;
  printf("%d\n", (int)words[0]);
  unsigned n = 0;
  for (int i = 0; i < 8; i++) n = n * 3 + buffer[i];
  printf("%u\n", n);
  return 0;
}
