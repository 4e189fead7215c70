// Counts down to zero.
extern void reach_error(void);

int main(void) {
  int i = 500000;
  while (i > 0) i--;
  if (i != 0) reach_error();
}
