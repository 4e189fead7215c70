// Feature: asm names on declarations
// Exit: 0
// Output: 4
extern int output(const char *, ...) __asm__("" "printf");
extern int plain __asm__("plain_symbol");
int plain = 4;

int main(void) {
  output("%d\n", plain);
  return 0;
}
