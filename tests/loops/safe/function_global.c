// A function that moves a global on.
extern void reach_error(void);

int total;
static void add(int n) {
  while (n > 0) { total++; n--; }
}
int main(void) {
  int calls = 0;
  while (calls < 1000) { add(5); calls++; }
  if (total < 0) reach_error();
}
