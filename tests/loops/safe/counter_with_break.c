// Leaves the loop in the middle.
extern void reach_error(void);

int main(void) {
  int i = 0;
  while (1) {
    if (i == 70000) break;
    i++;
  }
  if (i != 70000) reach_error();
}
