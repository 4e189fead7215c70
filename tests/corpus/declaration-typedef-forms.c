// Feature: typedefs of arrays, functions and pointers
// Exit: 0
// Output: 6 -3 2 2 7
int printf(const char *, ...);

typedef int row[3];
typedef row table[2];
typedef int function(int), *function_pointer(int);
typedef int (*callback)(row, int);
typedef struct list *list;
struct list {
  int value;
  list next;
};
typedef unsigned long word, *word_pointer;

static function negate;
static int negate(int x) { return -x; }
static int at(row r, int i) { return r[i]; }

int main(void) {
  table t = {{1, 2, 3}, {4, 5, 6}};
  callback c = at;
  function *f = negate;
  struct list end = {2, 0}, start = {1, &end};
  list l = &start;
  word w = 7;
  word_pointer p = &w;
  printf("%d %d %d %d %d\n", c(t[1], 2), f(3), l->next->value, (int)(sizeof t / sizeof(row)), (int)*p);
  return 0;
}
