// Numbers of messages that wrap around stay close.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned char sent = 250, acknowledged = 250;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) { if ((unsigned char)(sent - acknowledged) < 4) sent++; }
    else if (sent != acknowledged) acknowledged++;
  }
  if ((unsigned char)(sent - acknowledged) > 4) reach_error();
}
