// Feature: arrays of structures with bit-fields, through pointers
// Exit: 0
// Output: 1 11 2
// Output: 0 1 1
// Output: 0 126 1
// Output: 1 1 0
// Output: 2139 8
int printf(const char *, ...);

struct entry {
  unsigned short valid : 1;
  unsigned short tag : 7;
  unsigned short age : 8;
};

int main(void) {
  struct entry table[4] = {{1, 10, 1}, {0}, {.tag = 127}, [3] = {.age = 255, .valid = 1}};
  int sum = 0;
  for (struct entry *e = table; e < table + 4; e++) {
    e->age++;
    e->tag ^= 1;
    sum += e->valid * 1000 + e->tag;
    printf("%d %d %d\n", e->valid, e->tag, e->age);
  }
  printf("%d %d\n", sum, (int)sizeof table);
  return 0;
}
