// Feature: the place of an error is that of the line marker
// At: original.c:102
// Ended: error call reach_error
void reach_error(void);
# 100 "original.c"
int main(void) {
  int x = 3;
  if (x == 3) reach_error();
  return 0;
}
