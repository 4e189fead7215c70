// Feature: a program that does not end is stopped by the step limit
// Ended: step limit
// Gcc: no
// Output: on and on
int puts(const char *);

int main(void) {
  unsigned n = 0;
  puts("on and on");
  while (1) n++;
}
