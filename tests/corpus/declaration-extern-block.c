// Feature: extern declarations in a block name the object of the file
// Exit: 0
// Output: 50 7
// Output: 301
int printf(const char *, ...);

static int hidden = 1;
int global = 2;

static int read_global(void) {
  extern int global;
  return global;
}

int main(void) {
  int global = 50;
  {
    extern int global;
    global += 5;
  }
  printf("%d %d\n", global, read_global());
  int hidden_copy = hidden;
  {
    extern int defined_below(int);
    hidden_copy += defined_below(3);
  }
  printf("%d\n", hidden_copy);
  return 0;
}

int defined_below(int x) { return x * 100; }
