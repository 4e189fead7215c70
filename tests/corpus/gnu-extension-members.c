// Feature: __extension__ with anonymous members and old-style empty declarations
// Exit: 0
// Output: C ffffffffff
int printf(const char *, ...);

struct s {
  int tag;
  __extension__ union {
    int n;
    char c;
  };
};
;
__extension__ struct t {
  __extension__ unsigned long long bits : 40;
};

int main(void) {
  struct s s = {1, {.n = 0x4243}};
  struct t t = {~0ull};
  printf("%c %llx\n", s.c, (unsigned long long)t.bits);
  ;
  return 0;
}
