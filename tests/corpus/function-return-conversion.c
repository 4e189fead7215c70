// Feature: the returned value is converted to the return type
// Exit: 3
// Output: 255 -7 1
// Output: 0.100000001
// Output: 4294967295
// Output: yes 1
int printf(const char *, ...);

static unsigned char byte(int n) { return n; }
static int whole(double d) { return d; }
static _Bool truth(int n) { return n; }
static float single(double d) { return d; }
static long long wide(unsigned n) { return -n; }
static const char *text(int n) { return n ? "yes" : 0; }

int main(void) {
  printf("%d %d %d\n", byte(-1), whole(-7.9), truth(8));
  printf("%.9f\n", single(0.1));
  printf("%lld\n", wide(1));
  printf("%s %d\n", text(1), text(0) == 0);
  return byte(515);
}
