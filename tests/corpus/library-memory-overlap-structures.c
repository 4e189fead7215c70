// Feature: memory functions on members, and copies of pointers and padding
// Exit: 0
// Output: a 8 0.5
// Output: 1 1
// Output: 1
int printf(const char *, ...);

struct s {
  char tag;
  int *p;
  double d;
};

int main(void) {
  int target = 7;
  struct s a = {'a', &target, 0.5}, b;
  char raw[sizeof(struct s)];
  __builtin_memcpy(raw, &a, sizeof a);
  __builtin_memcpy(&b, raw, sizeof b);
  *b.p = 8;
  printf("%c %d %.1f\n", b.tag, target, b.d);
  int *pointers[3] = {&target, 0, &target};
  __builtin_memmove(pointers + 1, pointers, 2 * sizeof *pointers);
  printf("%d %d\n", pointers[1] == &target, pointers[2] == 0);
  __builtin_memset(&b.p, 0, sizeof b.p);
  printf("%d\n", b.p == 0);
  return 0;
}
