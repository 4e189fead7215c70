// Feature: alignment asked for on a bit-field that fills 64 bits
// Exit: 0
// Output: 16 8
// Output: 8 8
// Output: 1
// Output: 9
int printf(const char *, ...);

struct first {
  long long a : 64 __attribute__((aligned(1)));
  int b;
};
union any {
  char c;
  unsigned long long a : 64 __attribute__((aligned(2)));
};
struct later {
  int b;
  long long a : 64 __attribute__((aligned(4)));
};
struct tight {
  char c;
  long long a : 64 __attribute__((aligned(1)));
} __attribute__((packed));

int main(void) {
  printf("%d %d\n", (int)sizeof(struct first), (int)_Alignof(struct first));
  printf("%d %d\n", (int)sizeof(union any), (int)_Alignof(union any));
  printf("%d\n", sizeof(struct later) == (sizeof(long) == 8 ? 16 : 12));
  printf("%d\n", (int)sizeof(struct tight));
  return 0;
}
