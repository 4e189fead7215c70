// Feature: __func__, __FUNCTION__ and __PRETTY_FUNCTION__
// Exit: 0
// Output: named_function named_function named_function
// Output: 15
// Output: main a
int printf(const char *, ...);

static void named_function(void) {
  printf("%s %s %s\n", __func__, __FUNCTION__, __PRETTY_FUNCTION__);
  printf("%d\n", (int)sizeof __func__);
}

int main(void) {
  named_function();
  const char *name = __func__;
  printf("%s %c\n", name, __func__[1]);
  return 0;
}
