// Feature: attributes in the many places where they are allowed
// Exit: 6
// Output: 1 2 3 6
// Output: 8 2
// Output: 16 1
int printf(const char *, ...);

__attribute__((unused)) static int before = 1;
static int after __attribute__((unused, aligned(8))) = 2;
static int both(int x __attribute__((unused))) __attribute__((noinline, pure));
static int both(int x) { return x + 1; }
struct __attribute__((__packed__)) s {
  char c;
  int n __attribute__((aligned(2)));
} __attribute__((aligned(4)));
typedef int __attribute__((aligned(16))) strict;
enum __attribute__((packed)) small { A, B };
void (*__attribute__((unused)) handler)(void);
static int (__attribute__((noinline)) parenthesised)(int x) { return x * 2; }
extern int printf(const char *, ...) __attribute__((format(printf, 1, 2)));

int main(void) {
  int *__attribute__((unused)) p = 0;
  printf("%d %d %d %d\n", before, after, both(2), parenthesised(3));
  printf("%d %d\n", (int)sizeof(struct s), (int)__builtin_offsetof(struct s, n));
  printf("%d %d\n", (int)_Alignof(strict), (int)sizeof(enum small));
  switch (after) {
    case 2: before = 5; __attribute__((fallthrough));
    case 3: before++;
  }
  if (before) goto done;
done: __attribute__((unused));
  return before;
}
