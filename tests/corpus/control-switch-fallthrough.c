// Feature: switch with fall-through, default in the middle and shared labels
// Exit: 0
// Output: 1100,-1,1100,11,10,1000,1000,1100,
int printf(const char *, ...);

static int classify(int n) {
  int result = 0;
  switch (n) {
    case 1: result += 1;
    case 2: result += 10; break;
    default: result += 100;
    case 3:
    case 4: result += 1000; break;
    case -1: return -1;
  }
  return result;
}

int main(void) {
  for (int n = -2; n < 6; n++) printf("%d,", classify(n));
  printf("\n");
  return 0;
}
