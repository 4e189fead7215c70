// Feature: structures as parameters and results
// Exit: 0
// Output: 11 22 33
// Output: 1 14
// Output: 36
// Output: 29
int printf(const char *, ...);

struct vector {
  int x, y, z;
};

static struct vector add(struct vector a, struct vector b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
  return a;
}
static int length(struct vector v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

int main(void) {
  struct vector a = {1, 2, 3}, b = {10, 20, 30};
  struct vector c = add(a, b);
  printf("%d %d %d\n", c.x, c.y, c.z);
  printf("%d %d\n", a.x, length(a));
  printf("%d\n", add(add(a, a), b).z);
  printf("%d\n", length(add(a, (struct vector){1, 1, 1})));
  return 0;
}
