// The inner bound is the outer counter.
extern void reach_error(void);

int main(void) {
  int i = 0;
  while (i < 10000) {
    int j = 0;
    while (j < i) j++;
    if (j != i) reach_error();
    i++;
  }
}
