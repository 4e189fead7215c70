// Feature: printf of integers: flags, width, precision, length
// Exit: 0
// Output: [-5] [6] [4294967295]
// Output: [   42] [42   ] [00042] [+42] [ 42]
// Output: [ff] [FF] [0xff] [10] [010]
// Output: [007] [     007] [007     ] []
// Output: [   1] [2   ] [003]
// Output: [-3] [4] [ff]
// Output: [-5000000000] [18446744073709551615] [10000000000]
// Output: [4464] [44] [4464] [44]
// Output: [0XBEEF] [0x000000ff] [+03] [   -3]
// Output: [5     ]
int printf(const char *, ...);

int main(void) {
  printf("[%d] [%i] [%u]\n", -5, 6, -1);
  printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
  printf("[%x] [%X] [%#x] [%o] [%#o]\n", 255, 255, 255, 8, 8);
  printf("[%.3d] [%8.3d] [%-8.3d] [%.0d]\n", 7, 7, 7, 0);
  printf("[%*d] [%-*d] [%.*d]\n", 4, 1, 4, 2, 3, 3);
  printf("[%ld] [%lu] [%lx]\n", -3L, 4ul, 255ul);
  printf("[%lld] [%llu] [%llx]\n", -5000000000LL, 18446744073709551615ull, 1ull << 40);
  printf("[%hd] [%hhd] [%hu] [%hhu]\n", 70000, 300, 70000, 300);
  printf("[%#X] [%#010x] [%+.2d] [%+5d]\n", 48879, 255, 3, -3);
  printf("[%*d]\n", -6, 5);
  return 0;
}
