// An unsigned counter that passes zero stops at the top.
extern void reach_error(void);

int main(void) {
  unsigned i = 100000;
  while (i != 0xffffffffu) i--;
  if (i <= 100000) reach_error();
}
