// Feature: enumerations in arithmetic, loops and switch
// Exit: 0
// Output: 5 0
// Output: 1 6
// Output: 1
int printf(const char *, ...);

typedef enum { MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY, DAYS } day;

static day next(day d) { return (d + 1) % DAYS; }
static int works(day d) {
  switch (d) {
    case SATURDAY:
    case SUNDAY: return 0;
    default: return 1;
  }
}

int main(void) {
  int working = 0;
  for (day d = MONDAY; d < DAYS; d++) working += works(d);
  printf("%d %d\n", working, next(SUNDAY));
  day d = MONDAY;
  d--;
  printf("%d %d\n", d > DAYS, next(next(FRIDAY)));
  enum { MINUS = -1, PLUS = 1 } sign = MINUS;
  printf("%d\n", sign < 0);
  return 0;
}
