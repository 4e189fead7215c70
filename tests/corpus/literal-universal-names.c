// Feature: \u in strings is encoded in UTF-8
// Exit: 0
// Output: 41 c3 bc e2 82 ac f0 9f 98 80 end
int printf(const char *, ...);

int main(void) {
  const unsigned char *s = (const unsigned char *)"A\u00fc\u20ac\U0001F600";
  while (*s) printf("%02x ", *s++);
  printf("end\n");
  return 0;
}
