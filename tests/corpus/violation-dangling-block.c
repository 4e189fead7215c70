// Feature: dereferencing the address of a local whose block has ended
// Ended: invalid dereference
// Gcc: no
int main(void) {
  int *p;
  {
    int local = 5;
    p = &local;
  }
  return *p; // ends here
}
