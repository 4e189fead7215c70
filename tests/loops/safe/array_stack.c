// A stack pointer stays in its range.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int stack[50];
  int top = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) { if (top < 50) { stack[top] = 1; top++; } }
    else if (top > 0) top--;
    if (top < 0 || top > 50) reach_error();
  }
}
