// The second trails the first by one.
extern void reach_error(void);

int main(void) {
  int x = 1, y = 0;
  while (x < 30000) { y = x; x++; }
  if (x != y + 1) reach_error();
}
