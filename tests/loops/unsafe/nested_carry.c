// The inner loop leaves too much.
extern void reach_error(void);

int main(void) {
  int i = 0, total = 0;
  while (i < 3) {
    int j = 0;
    while (j <= i) { total++; j++; }
    i++;
  }
  if (total > 5) reach_error();
}
