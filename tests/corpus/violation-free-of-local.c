// Feature: freeing what was not allocated
// Ended: invalid free
// Gcc: no
void free(void *);

int main(void) {
  int local = 1;
  free(&local); // ends here
  return local;
}
