// Feature: reading freed memory
// Ended: invalid dereference
// Gcc: no
// Output: 5
typedef __typeof__(sizeof 0) size;
void *malloc(size);
void free(void *);
int printf(const char *, ...);

int main(void) {
  int *p = malloc(sizeof *p), *alias = p;
  *p = 5;
  printf("%d\n", *alias);
  free(p);
  return *alias; // ends here
}
