// A cell that was never written.
extern void reach_error(void);

int main(void) {
  int a[1000];
  int i = 1;
  while (i < 4) { a[i] = 0; i++; }
  if (a[0] != 0) reach_error();
}
