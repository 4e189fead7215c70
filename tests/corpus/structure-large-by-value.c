// Feature: large structures with arrays by value
// Exit: 0
// Output: 1575
// Output: 1575 3.5
// Output: 50
int printf(const char *, ...);

struct block {
  int cells[50];
  double weight;
};

static struct block fill(int start) {
  struct block b;
  for (int i = 0; i < 50; i++) b.cells[i] = start + i;
  b.weight = start / 2.0;
  return b;
}
static int total(struct block b) {
  int sum = 0;
  for (int i = 0; i < 50; i++) sum += b.cells[i], b.cells[i] = 0;
  return sum;
}

int main(void) {
  struct block b = fill(7);
  printf("%d\n", total(b));
  printf("%d %.1f\n", total(b), b.weight);
  printf("%d\n", fill(1).cells[49]);
  return 0;
}
