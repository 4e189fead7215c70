// What one loop leaves is what the next begins with.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, j = 0;
  if (n < 0) return 0;
  while (i < n) i++;
  while (j < i) j++;
  if (j != n) reach_error();
}
