// One up, one down: the sum stays.
extern void reach_error(void);

int main(void) {
  int x = 0, y = 10000;
  while (x < 10000) { x++; y--; }
  if (y != 0) reach_error();
}
