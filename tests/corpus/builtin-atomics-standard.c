// Feature: the generic functions of <stdatomic.h> in a single thread
// Exit: 0
// Output: 5
// Output: 7 1
// Output: 0 9
// Output: 1 9 1
// Output: 38
// Output: 010
#include <stdatomic.h>
int printf(const char *format, ...);

static atomic_int counter = 5;
static _Atomic long total;
static atomic_flag busy = ATOMIC_FLAG_INIT;

int main(void) {
    printf("%d\n", atomic_load(&counter));
    atomic_store(&counter, 7);
    printf("%d %d\n", atomic_exchange(&counter, 9), atomic_load(&counter) > 0);
    int expected = 8;
    _Bool first = atomic_compare_exchange_strong(&counter, &expected, 1);
    printf("%d %d\n", first, expected);
    _Bool second = atomic_compare_exchange_weak(&counter, &expected, 1);
    printf("%d %d %d\n", second, expected, counter);
    atomic_fetch_add(&total, 40);
    atomic_fetch_sub_explicit(&total, 2, memory_order_relaxed);
    printf("%ld\n", total);
    printf("%d", atomic_flag_test_and_set(&busy));
    printf("%d", atomic_flag_test_and_set(&busy));
    atomic_flag_clear(&busy);
    printf("%d\n", atomic_flag_test_and_set(&busy));
    return 0;
}
