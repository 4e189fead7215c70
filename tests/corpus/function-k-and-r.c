// Feature: definitions in the old style of Kernighan and Ritchie
// Exit: 0
// Output: 5 b 5
int printf();

int add(a, b)
  int a, b;
{
  return a + b;
}

static char *pick(list, index, unused)
  char **list;
  short index;
  float unused;
{
  return list[index];
}

int implicit(x) { return x + 1; }

int main() {
  char *list[] = {"a", "b"};
  printf("%d %s %d\n", add(2, 3), pick(list, 1, 2.5), implicit(4));
  return 0;
}
