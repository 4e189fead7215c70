// Feature: a bit-field of width zero starts a new unit
// Exit: 0
// Output: 1 2 5
// Output: 1 2
int printf(const char *, ...);

struct joined {
  char a : 3;
  char b : 3;
};
struct parted {
  char a : 3;
  char : 0;
  char b : 3;
};
struct aligned {
  char a;
  int : 0;
  char b;
};

int main(void) {
  printf("%d %d %d\n", (int)sizeof(struct joined), (int)sizeof(struct parted), (int)sizeof(struct aligned));
  struct parted p = {1, 2};
  unsigned char *bytes = (unsigned char *)&p;
  printf("%d %d\n", bytes[0] & 7, bytes[1] & 7);
  return 0;
}
