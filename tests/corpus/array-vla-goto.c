// Feature: leaving and re-entering the scope of a VLA by goto
// Exit: 0
// Output: 4 30
int printf(const char *, ...);

int main(void) {
  int round = 0, sum = 0;
again:
  round++;
  {
    int cells[round];
    for (int i = 0; i < round; i++) cells[i] = round;
    for (int i = 0; i < round; i++) sum += cells[i];
    if (round < 4) goto again;
  }
  printf("%d %d\n", round, sum);
  return 0;
}
