// Feature: memcpy that writes past its target
// Ended: invalid dereference
// Gcc: no
int main(void) {
  char small[4], large[8] = "1234567";
  __builtin_memcpy(small, large, 4);
  __builtin_memcpy(small, large, 5); // ends here
  return 0;
}
