// Feature: a large array of which little is used
// Exit: 0
// Output: 5 6 7
int printf(const char *, ...);

static int cells[10000000];
static char bytes[1000][1000][20];

int main(void) {
  cells[9999999] = 5;
  cells[0] = 6;
  bytes[999][999][19] = 7;
  printf("%d %d %d\n", cells[9999999] + cells[5000000], cells[0], bytes[999][999][19] + bytes[5][5][5]);
  return 0;
}
