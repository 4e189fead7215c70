// Feature: names are shadowed in inner scopes
// Exit: 0
// Output: 1
// Output: 2 126
// Output: 5782
int printf(const char *, ...);

int x = 1;

static int parameter(int x) {
  int sum = x;
  {
    int x = 10;
    sum += x;
    {
      int x = 100;
      sum += x;
    }
    sum += x;
  }
  return sum + x;
}

int main(void) {
  printf("%d\n", x);
  int x = 2;
  printf("%d %d\n", x, parameter(3));
  for (int x = 5; x < 6; x++) {
    printf("%d", x);
    int x = 7;
    printf("%d", x);
  }
  if (1) {
    int x = 8;
    printf("%d", x);
  }
  printf("%d\n", x);
  return 0;
}
