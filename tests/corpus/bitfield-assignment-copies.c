// Feature: assigning and passing structures with bit-fields
// Exit: 0
// Output: 30 -300 x
// Output: 1 -300 x
// Output: 31 300 x
// Output: -300
int printf(const char *, ...);

struct s {
  unsigned a : 5;
  int b : 11;
  unsigned char c;
};

static struct s change(struct s s) {
  s.a++;
  s.b = -s.b;
  return s;
}

int main(void) {
  struct s one = {30, -300, 'x'}, two = one, three;
  three = change(one);
  two.a = 1;
  printf("%d %d %c\n", one.a, one.b, one.c);
  printf("%d %d %c\n", two.a, two.b, two.c);
  printf("%d %d %c\n", three.a, three.b, three.c);
  printf("%d\n", change(three).b);
  return 0;
}
