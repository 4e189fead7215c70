// Feature: tagged unions passed by value
// Exit: 0
// Output: 4.0
// Output: 2.5
// Output: 7.0
int printf(const char *, ...);

enum kind { INTEGER, REAL, PAIR };
struct value {
  enum kind kind;
  union {
    int integer;
    double real;
    struct {
      short first, second;
    } pair;
  } as;
};

static double magnitude(struct value v) {
  switch (v.kind) {
    case INTEGER: return v.as.integer < 0 ? -v.as.integer : v.as.integer;
    case REAL: return v.as.real < 0 ? -v.as.real : v.as.real;
    case PAIR: return v.as.pair.first + v.as.pair.second;
  }
  return -1;
}

int main(void) {
  struct value list[] = {{INTEGER, {-4}}, {REAL, {.real = -2.5}}, {PAIR, {.pair = {3, 4}}}};
  for (int i = 0; i < 3; i++) printf("%.1f\n", magnitude(list[i]));
  return 0;
}
