// Feature: each activation has its own locals and arrays, whose addresses stay valid
// Exit: 0
// Output: 106 31
int printf(const char *, ...);

static int sum_up(int depth, int *parent) {
  int own[2] = {depth, depth * 10};
  if (parent) parent[1] += own[0];
  if (depth == 0) return own[1];
  int below = sum_up(depth - 1, own);
  return below + own[1];
}
static void hanoi(int n, char from, char to, char via, int *moves) {
  if (!n) return;
  hanoi(n - 1, from, via, to, moves);
  ++*moves;
  hanoi(n - 1, via, to, from, moves);
}

int main(void) {
  int moves = 0;
  hanoi(5, 'a', 'c', 'b', &moves);
  printf("%d %d\n", sum_up(4, 0), moves);
  return 0;
}
