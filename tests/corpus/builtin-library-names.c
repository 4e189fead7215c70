// Feature: builtin forms of library functions
// Exit: 0
// Output: abxxyz 6
// Output: 4 1
// Output: 2.5 1
// Output: 1 1
// Output: 9
int printf(const char *, ...);

int main(void) {
  char buffer[8];
  __builtin_memset(buffer, 'x', 7);
  buffer[7] = 0;
  __builtin_memcpy(buffer, "ab", 2);
  __builtin_strcpy(buffer + 4, "yz");
  printf("%s %d\n", buffer, (int)__builtin_strlen(buffer));
  printf("%d %d\n", __builtin_abs(-4), __builtin_strcmp("a", "b") < 0);
  printf("%.1f %d\n", __builtin_fabs(-2.5), __builtin_isnan(__builtin_nan("")) != 0);
  printf("%d %d\n", __builtin_inf() > 1e308, __builtin_huge_val() == __builtin_inf());
  char *p = __builtin_alloca(4);
  p[3] = 9;
  __builtin_printf("%d\n", p[3]);
  if (0) __builtin_trap();
  return 0;
}
