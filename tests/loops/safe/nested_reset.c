// The inner counter starts anew.
extern void reach_error(void);

int main(void) {
  int i = 0;
  while (i < 1000) {
    int j = 0;
    while (j < 500) j++;
    if (j != 500) reach_error();
    i++;
  }
  if (i != 1000) reach_error();
}
