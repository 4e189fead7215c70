// Feature: a failed assertion in preprocessed form
// Ended: assertion failed
// Output: start
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
int puts(const char *);

int main(void) {
  int x = 5;
  puts("start");
  ((x < 10) ? (void)0 : __assert_fail("x < 10", "a.c", 1, "main"));
  ((x > 10) ? (void)0 : __assert_fail("x > 10", "a.c", 2, "main")); // ends here
  return 0;
}
