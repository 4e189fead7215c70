// Counts by three; the exit value follows from the remainder.
extern void reach_error(void);

int main(void) {
  int i = 0;
  while (i < 3000000) i += 3;
  if (i > 3000002) reach_error();
}
