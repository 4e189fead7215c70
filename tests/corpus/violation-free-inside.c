// Feature: freeing a pointer into the middle of an allocation
// Ended: invalid free
// Gcc: no
typedef __typeof__(sizeof 0) size;
void *malloc(size);
void free(void *);

int main(void) {
  char *p = malloc(8);
  p++;
  free(p); // ends here
  return 0;
}
