// Feature: a flexible array member with a static initialiser (GNU), and the old zero-length form
// Exit: 60
// Output: 60 4 4
int printf(const char *, ...);

struct table {
  int count;
  int cells[];
};
struct old {
  char tag;
  int cells[0];
};
static struct table numbers = {3, {10, 20, 30}};

int main(void) {
  int sum = 0;
  for (int i = 0; i < numbers.count; i++) sum += numbers.cells[i];
  printf("%d %d %d\n", sum, (int)sizeof numbers, (int)sizeof(struct old));
  return sum;
}
