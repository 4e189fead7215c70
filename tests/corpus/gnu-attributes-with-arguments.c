// Feature: attributes with arguments, and one that nobody knows
// Exit: 0
// Output: 1 2 3 5
int printf(const char *, ...);

static int data __attribute__((section(".data"))) = 1;
int visible __attribute__((visibility("default"), weak)) = 2;
int old(void) __attribute__((deprecated("use new"), nothrow, leaf, warn_unused_result));
int old(void) { return 3; }
static int hot(int) __attribute__((hot, const, nonnull, always_inline));
static inline int hot(int x) { return x + 4; }
static void *make(unsigned n) __attribute__((malloc, alloc_size(1), cold, noinline, noclone));
static void *make(unsigned n) { return n ? &data : 0; }

int main(void) {
  int *p = make(1);
  int unused __attribute__((not_an_attribute_that_exists)) = 0;
  printf("%d %d %d %d\n", *p, visible, old(), hot(1));
  return 0;
}
