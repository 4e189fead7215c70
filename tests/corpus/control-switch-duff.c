// Feature: Duff's device: case labels inside a loop
// Exit: 0
// Output: a,ab,abc,abcd,abcde,abcdef,abcdefg,abcdefgh,abcdefghi,
int printf(const char *, ...);

static void copy(char *to, const char *from, int count) {
  int rounds = (count + 3) / 4;
  switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
  }
}

int main(void) {
  for (int n = 1; n < 10; n++) {
    char buffer[12] = {0};
    copy(buffer, "abcdefghij", n);
    printf("%s,", buffer);
  }
  printf("\n");
  return 0;
}
