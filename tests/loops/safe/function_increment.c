// A function that adds one.
extern void reach_error(void);

static int next(int x) { return x + 1; }
int main(void) {
  int i = 0;
  while (i < 100000) i = next(i);
  if (i != 100000) reach_error();
}
