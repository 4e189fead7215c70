// A counter of 64 bits.
extern void reach_error(void);

int main(void) {
  long long i = 0;
  while (i < 10000000000LL) i++;
  if (i != 10000000000LL) reach_error();
}
