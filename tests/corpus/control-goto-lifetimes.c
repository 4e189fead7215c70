// Feature: jumps into, within and out of blocks whose locals have their address taken
// Exit: 0
// Output: 3 6
// Output: 2
// Output: 5
// Output: 12
int printf(const char *, ...);

static int set(int *p, int value) { return *p = value; }

// A backward jump stays in the block: the local that is declared later lives on.
static int backward(void) {
  int rounds = 0, *last = 0;
  {
  again:
    if (rounds && *last != rounds) return -1;
    rounds++;
    int local;
    set(&local, rounds);
    last = &local;
    if (rounds < 3) goto again;
    printf("%d ", *last);
  }
  return rounds * 2;
}

// Entering a block past the declaration: the object is there, its value is not.
static int inside(int c) {
  if (c) goto middle;
  {
    int local;
    set(&local, 1);
  middle:
    set(&local, 2);
    c = local;
  }
  return c;
}

static int selected(int c) {
  switch (c) {
    int local;
  case 1:
    set(&local, 4);
    return local + 1;
  default:
    set(&local, 6);
    break;
  }
  return c;
}

static int computed(int n) {
  void *targets[] = {&&again, &&out};
  int sum = 0;
again: {
  int step;
  sum += set(&step, n);
  goto *targets[sum >= 10];
}
out:
  return sum + ({ int inner; set(&inner, 0); inner; });
}

int main(void) {
  printf("%d\n", backward());
  printf("%d\n", inside(1));
  printf("%d\n", selected(1));
  printf("%d\n", computed(3));
  return 0;
}
