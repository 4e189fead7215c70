// Feature: incomplete types that are completed later
// Exit: 1
// Output: 12 3 2
int printf(const char *, ...);

struct later;
static struct later *remember;
extern struct later object;
static int peek(struct later *p);
struct later {
  int n;
};
struct later object = {12};
static int peek(struct later *p) { return p->n; }
extern int sized[];
static int first(void) { return sized[0]; }
int sized[] = {3, 4};

int main(void) {
  remember = &object;
  printf("%d %d %d\n", peek(remember), first(), (int)(sizeof sized / sizeof *sized));
  union unknown *nothing = 0;
  return nothing == 0;
}
