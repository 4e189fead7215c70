// Two calls of the same loop.
extern void reach_error(void);

static int up(int from, int to) {
  while (from < to) from++;
  return from;
}
int main(void) {
  int x = up(0, 1000);
  int y = up(x, 3000);
  if (x != 1000 || y != 3000) reach_error();
}
