// The index stays in the array.
extern void reach_error(void);

int main(void) {
  int a[100];
  int i = 0;
  while (i < 100) {
    if (i < 0 || i > 99) reach_error();
    a[i] = i;
    i++;
  }
}
