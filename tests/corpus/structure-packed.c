// Feature: packed structures have no padding
// Exit: 0
// Output: 15 1
// Output: 1 7
// Output: 8 1
// Output: 4 1 254
// Output: 1020305 -2 1.5
// Output: 16
int printf(const char *, ...);

struct __attribute__((packed)) p {
  char a;
  int b;
  short c;
  double d;
};
struct q {
  char a;
  int b __attribute__((packed));
  short c;
};

int main(void) {
  struct p p = {1, 0x01020304, -2, 0.5};
  printf("%d %d\n", (int)sizeof(struct p), (int)_Alignof(struct p));
  printf("%d %d\n", (int)__builtin_offsetof(struct p, b), (int)__builtin_offsetof(struct p, d));
  printf("%d %d\n", (int)sizeof(struct q), (int)__builtin_offsetof(struct q, b));
  unsigned char *bytes = (unsigned char *)&p;
  printf("%d %d %d\n", bytes[1], bytes[4], bytes[5]);
  p.b++;
  p.d *= 3;
  printf("%x %d %.1f\n", p.b, p.c, p.d);
  struct p array[2] = {p, p};
  printf("%d\n", (int)((char *)&array[1].b - (char *)array));
  return 0;
}
