// The states of a handshake in their order.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int state = 10, seen = 0;
  while (1) {
    if (state == 10) { state = 20; }
    else if (state == 20) { if (seen == 0) { seen = 1; state = 30; } else state = 40; }
    else if (state == 30) { if (seen == 1) seen = 2; state = 40; }
    else if (state == 40) { if (seen != 2) reach_error(); state = __VERIFIER_nondet_int() ? 10 : 50; seen = __VERIFIER_nondet_int() ? 2 : seen; }
    else break;
  }
  if (state != 50) reach_error();
}
