// The second counter is twice the first.
extern void reach_error(void);

int main(void) {
  int x = 0, y = 0;
  while (x < 1000000) { x++; y += 2; }
  if (y != 2000000) reach_error();
}
