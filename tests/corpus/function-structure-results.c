// Feature: members of returned structures, and arrays in them
// Exit: 0
// Output: 3 5
// Output: qr
// Output: 9
// Output: 1 2
int printf(const char *, ...);

struct pair {
  int first, second;
};
struct text {
  char bytes[8];
};
static struct pair order(int a, int b) { return a < b ? (struct pair){a, b} : (struct pair){b, a}; }
static struct text name(char c) {
  struct text t = {{c, c, 0}};
  return t;
}
static struct pair *keep(struct pair p) {
  static struct pair kept;
  kept = p;
  return &kept;
}

int main(void) {
  printf("%d %d\n", order(5, 3).first, order(5, 3).second);
  printf("%c%c\n", name('q').bytes[0], name('r').bytes[1]);
  printf("%d\n", keep(order(9, 8))->second);
  struct pair p = *keep(order(1, 2));
  p = order(p.second, p.first);
  printf("%d %d\n", p.first, p.second);
  return 0;
}
