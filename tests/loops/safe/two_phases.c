// The second counter starts half-way.
extern void reach_error(void);

int main(void) {
  int x = 0, y = 5000;
  while (x < 10000) {
    if (x >= 5000) y++;
    x++;
  }
  if (y != x) reach_error();
}
