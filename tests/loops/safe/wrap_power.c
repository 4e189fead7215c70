// A power of two doubles until it is gone.
extern void reach_error(void);

int main(void) {
  unsigned x = 1;
  while (x != 0) {
    if ((x & (x - 1)) != 0) reach_error();
    x = x << 1;
  }
}
