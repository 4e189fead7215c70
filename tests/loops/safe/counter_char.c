// A narrow counter with promotions.
extern void reach_error(void);

int main(void) {
  unsigned char c = 0;
  while (c < 200) c++;
  if (c != 200) reach_error();
}
