// Feature: reaching the end of main returns 0
// Exit: 0
// Output: end
int puts(const char *);

int main(void) {
  puts("end");
}
