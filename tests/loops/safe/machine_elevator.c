// The doors are shut whenever it moves.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int floor = 0, doors = 1, moving = 0;
  while (__VERIFIER_nondet_int()) {
    switch (__VERIFIER_nondet_int()) {
      case 0: if (!moving) doors = 1; break;
      case 1: doors = 0; break;
      case 2: if (!doors) moving = 1; break;
      case 3: if (moving && floor < 9) floor++; break;
      case 4: if (moving && floor > 0) floor--; break;
      default: moving = 0; break;
    }
    if (moving && doors) reach_error();
    if (floor < 0 || floor > 9) reach_error();
  }
}
