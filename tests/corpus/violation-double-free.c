// Feature: freeing the same memory twice
// Ended: invalid free
// Gcc: no
typedef __typeof__(sizeof 0) size;
void *malloc(size);
void free(void *);

int main(void) {
  void *a = malloc(8), *b = malloc(8);
  free(a);
  free(b);
  free(0);
  free(a); // ends here
  return 0;
}
