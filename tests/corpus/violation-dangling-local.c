// Feature: dereferencing the address of a local whose function has returned
// Ended: invalid dereference
// Gcc: no
static int *escape(void) {
  int local = 5;
  int *p = &local;
  return p;
}

int main(void) {
  int *p = escape();
  return *p; // ends here
}
