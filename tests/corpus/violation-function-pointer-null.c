// Feature: a call through a null function pointer
// Ended: invalid dereference
// Gcc: no
static int one(void) { return 1; }

int main(void) {
  int (*f[2])(void) = {one};
  int sum = 0;
  for (int i = 0; i < 2; i++)
    sum += f[i](); // ends here
  return sum;
}
