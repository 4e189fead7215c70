// Feature: writing past the end of an allocation
// Ended: invalid dereference
// Gcc: no
typedef __typeof__(sizeof 0) size;
void *malloc(size);

int main(void) {
  char *p = malloc(4);
  if (!p) return 0;
  p[3] = 0;
  p[4] = 0; // ends here
  return 0;
}
