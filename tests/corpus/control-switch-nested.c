// Feature: a switch in a switch, break and continue inside a loop
// Exit: 0
// Output: 221
int printf(const char *, ...);

int main(void) {
  int sum = 0;
  for (int i = 0; i < 8; i++) {
    switch (i) {
      case 0: continue;
      case 1:
        switch (sum) {
          case 0: sum = 5; break;
          default: sum = -1;
        }
        sum *= 2;
        break;
      case 6: goto out;
      default:
        if (i == 3) break;
        sum += i;
        continue;
    }
    sum += 100;
  }
out:
  printf("%d\n", sum);
  return 0;
}
