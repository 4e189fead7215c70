// An unsigned counter never gets past its bound.
extern void reach_error(void);

int main(void) {
  unsigned i = 0;
  while (i < 4000000000u) {
    i++;
    if (i > 4000000000u) reach_error();
  }
}
