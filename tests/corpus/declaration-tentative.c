// Feature: tentative definitions become one object
// Exit: 0
// Output: 7 0 4
// Output: 8
int printf(const char *, ...);

int shared;
int shared;
static int array[3];
extern int later;
int get(void) { return later + shared; }
int later = 5;
int shared = 2;
int unknown[];
int unknown[4] = {1, 2, 3, 4};

int main(void) {
  printf("%d %d %d\n", get(), array[2], unknown[3]);
  extern int shared;
  shared++;
  printf("%d\n", get());
  return 0;
}
