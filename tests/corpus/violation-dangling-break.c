// Feature: break and continue end the lifetimes of what the body declares
// Ended: invalid dereference
// Gcc: no
// Output: 1
// Output: 2
int printf(const char *, ...);

int main(void) {
  int *p, stays = 7;
  for (int i = 0;; i++) {
    int local = i;
    p = &stays;
    if (i == 0) continue;
    printf("%d\n", local);
    p = &local;
    if (*p == 2) break;
  }
  return *p; // ends here
}
