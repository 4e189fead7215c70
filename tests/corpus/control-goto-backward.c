// Feature: loops made of goto
// Exit: 0
// Output: 111 9232
int printf(const char *, ...);

int main(void) {
  int n = 27, steps = 0, highest = n;
loop:
  if (n == 1) goto done;
  n = n % 2 ? 3 * n + 1 : n / 2;
  if (n > highest) highest = n;
  steps++;
  goto loop;
done:
  printf("%d %d\n", steps, highest);
  return 0;
}
