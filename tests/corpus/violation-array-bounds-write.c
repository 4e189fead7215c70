// Feature: writing before the start of a global array
// Ended: invalid dereference
// Gcc: no
static int guard, cells[4], after;

int main(void) {
  int i = 3;
  while (1) {
    cells[i] = i; // ends here
    i--;
  }
}
