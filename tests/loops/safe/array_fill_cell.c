// One cell, any, after filling all.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[1000];
  int i = 0, k = __VERIFIER_nondet_int();
  if (k < 0 || k >= 1000) return 0;
  while (i < 1000) { a[i] = 7; i++; }
  if (a[k] != 7) reach_error();
}
