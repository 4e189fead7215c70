// The body runs at least once.
extern void reach_error(void);

int main(void) {
  int i = 0;
  do i++; while (i < 50000);
  if (i != 50000) reach_error();
}
