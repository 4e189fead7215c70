// Feature: __label__ declares labels of a block
// Exit: 3
// Output: 2 -1 5
// Output: in
int printf(const char *, ...);

#define FIND(array, length, wanted) ({  \
  __label__ found;                      \
  int _index;                           \
  for (_index = 0; _index < (length); _index++) \
    if ((array)[_index] == (wanted)) goto found; \
  _index = -1;                          \
  found: _index;                        \
})

int main(void) {
  int cells[] = {4, 8, 15, 16, 23, 42};
  int a = FIND(cells, 6, 15), b = FIND(cells, 6, 99), c = FIND(cells, 6, 42);
  printf("%d %d %d\n", a, b, c);
  {
    __label__ out, in;
    goto in;
  out:
    return 3;
  in:
    printf("in\n");
    goto out;
  }
  return 0;
}
