// Feature: a jump back within a block comes to the same objects again
// Exit: 0
// Output: 1 12
int printf(const char *, ...);

struct pair { int first, second; };

static int literals(void) {
  struct pair *now = 0, *before;
  int rounds = 0;
again:
  before = now;
  now = &(struct pair){.second = rounds};
  if (++rounds < 3) goto again;
  return now == before && now->second == 2;
}

static int locals(void) {
  int *kept = 0, rounds = 0;
again:;
  int local = rounds;
  if (kept && kept != &local) return -1;
  if (kept) *kept += 10;
  kept = &local;
  if (++rounds < 3) goto again;
  return local;
}

int main(void) {
  printf("%d %d\n", literals(), locals());
  return 0;
}
