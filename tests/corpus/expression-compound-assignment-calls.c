// Feature: a call in the value of a compound assignment comes before the target is read
// Exit: 0
// Output: 131
// Output: 129
// Output: 8 129
// Output: 40 6
// Output: 6
// Output: 135 133
// Output: 12 1
int printf(const char *, ...);

static int total = 2, *at = &total, rest[3] = {10, 20, 30};
static struct { int whole; unsigned part : 5; } record;

static int change(void) {
  total |= 128;
  rest[1] = 7;
  record.whole = 40;
  record.part = 3;
  return 1;
}

static int sum_up_to(int n) {
  if (n == 0) return 0;
  total += sum_up_to(n - 1);
  return n;
}

static int *next(void) {
  at = rest + 1;
  return at;
}

int main(void) {
  total |= change();
  printf("%d\n", total);
  total = 2;
  *at -= change();
  printf("%d\n", total);
  rest[total - 128] += change();
  printf("%d %d\n", rest[1], total);
  record.whole += change();
  record.part *= change() + 1;
  printf("%d %u\n", record.whole, (unsigned)record.part);
  total = 0;
  sum_up_to(4);
  printf("%d\n", total);
  int x = 1;
  x += ({ total = 5; change(); }) + total;
  printf("%d %d\n", x, total);
  *next() += 5;
  printf("%d %d\n", rest[1], (int)(at - rest));
  return 0;
}
