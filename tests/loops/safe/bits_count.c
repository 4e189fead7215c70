// A word has no more than 32 ones.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int i = 0, ones = 0;
  while (i < 32) {
    if (x & (1u << i)) ones++;
    i++;
  }
  if (ones > 32) reach_error();
}
