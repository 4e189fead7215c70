// Feature: abort ends the program at once
// Ended: aborted
// Output: before
void abort(void);
int puts(const char *);

int main(void) {
  puts("before");
  abort();
  puts("after");
  return 0;
}
