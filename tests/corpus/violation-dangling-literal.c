// Feature: dereferencing a compound literal whose block has ended
// Ended: invalid dereference
// Gcc: no
int main(void) {
  int *p = 0;
  for (int i = 0; i < 3; i++) {
    p = (int[2]){i, i + 1};
    p[0] += p[1];
  }
  return *p; // ends here
}
