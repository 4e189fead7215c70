// Feature: GNU ranges of array elements in designators
// Exit: 0
// Output: 1111022290
// Output: y00 x12 x12 1 2 0
int printf(const char *, ...);

static int table[10] = {[0 ... 3] = 1, [5 ... 7] = 2, 9};

int main(void) {
  for (int i = 0; i < 10; i++) printf("%d", table[i]);
  printf("\n");
  struct {
    char c;
    int n[2];
  } s[] = {[1 ... 2] = {'x', {1, 2}}, [0] = {'y'}};
  for (int i = 0; i < 3; i++) printf("%c%d%d ", s[i].c, s[i].n[0], s[i].n[1]);
  char map[256] = {['a' ... 'z'] = 1, ['0' ... '9'] = 2};
  printf("%d %d %d\n", map['q'], map['7'], map['Q']);
  return 0;
}
