// The bound is missed by one.
extern void reach_error(void);

int main(void) {
  int i = 0;
  while (i <= 20) i++;
  if (i != 20) reach_error();
}
