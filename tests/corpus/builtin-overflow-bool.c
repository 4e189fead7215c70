// Feature: the overflow builtins give a _Bool, also where it is stored as one
// Exit: 5
_Bool lost;

int main(void) {
  int sum;
  unsigned char small;
  lost = __builtin_add_overflow(2147483647, 1, &sum);
  int result = lost ? 1 : 0;
  lost = __builtin_mul_overflow(200, 2, &small);
  result += lost * 4;
  lost = __builtin_sub_overflow(3, 2, &sum);
  return result + lost;
}
