// Feature: GNU empty structures have size 0
// Exit: 0
// Output: 0 2
// Output: 1 2
int printf(const char *, ...);

struct empty {};
struct around {
  char a;
  struct empty e;
  char b;
};

int main(void) {
  struct empty one, two;
  one = two;
  struct around around = {1, {}, 2};
  printf("%d %d\n", (int)sizeof one, (int)sizeof(struct around));
  printf("%d %d\n", around.a, around.b);
  return 0;
}
