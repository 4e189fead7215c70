// A traffic light: green never follows red at once.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int light = 0, last = 2;
  while (__VERIFIER_nondet_int()) {
    last = light;
    if (light == 0) light = 1;
    else if (light == 1) light = 2;
    else light = 0;
    if (last == 0 && light == 2) reach_error();
    if (light > 2) reach_error();
  }
}
