// Feature: decimal constants that no signed type of the standard can hold
// Data-model: LP64
// Exit: 0
// Output: 1 1
// Output: 1 16
// Output: 1
// Output: 1
int printf(const char *format, ...);

int main(void) {
    long long x = 5;
    printf("%d %d\n", x >= -9223372036854775808, -9223372036854775808 < 0);
    printf("%d %d\n", 18446744073709551615 > 0, (int)sizeof 9223372036854775808);
    printf("%d\n", 0x8000000000000000 > 0);
    printf("%d\n", 18446744073709551615u > 0);
    return 0;
}
