// Feature: the __sync and __atomic builtins in a single thread
// Exit: 0
// Output: 5 10 10
// Output: 1 20 20
// Output: 20 1
// Output: 0 7
// Output: 7
// Output: 1 6 5
// Output: 15
int printf(const char *, ...);

static int counter = 5;
static long flag;

int main(void) {
  int old = __sync_fetch_and_add(&counter, 3);
  int now = __sync_add_and_fetch(&counter, 2);
  printf("%d %d %d\n", old, now, counter);
  int swapped = __sync_bool_compare_and_swap(&counter, 10, 20);
  old = __sync_val_compare_and_swap(&counter, 99, 30);
  printf("%d %d %d\n", swapped, old, counter);
  __sync_synchronize();
  old = __sync_lock_test_and_set(&counter, 1);
  printf("%d %d\n", old, counter);
  __sync_lock_release(&counter);
  __atomic_store_n(&flag, 7, 5);
  printf("%d %ld\n", counter, __atomic_load_n(&flag, 2));
  printf("%ld\n", __atomic_fetch_sub(&flag, 2, 0));
  int expected = 0, changed = __atomic_compare_exchange_n(&counter, &expected, 6, 0, 5, 5);
  printf("%d %d %d\n", changed, counter, (int)__atomic_exchange_n(&flag, 1, 5));
  printf("%d\n", __sync_or_and_fetch(&counter, 9));
  return 0;
}
