// Feature: printf of characters and strings
// Exit: 0
// Output: [a] [  b] [c  ]
// Output: [text] [    text] [text    ] [te] [     tex]
// Output: [abc] [   ab]
// Output: [xyz]
// Output: 100% |
// Output: twelve bytes
// Output: 13
int printf(const char *, ...);

int main(void) {
  printf("[%c] [%3c] [%-3c]\n", 'a', 'b', 'c');
  printf("[%s] [%8s] [%-8s] [%.2s] [%8.3s]\n", "text", "text", "text", "text", "text");
  printf("[%.*s] [%*s]\n", 3, "abcdef", 5, "ab");
  char unterminated[3] = {'x', 'y', 'z'};
  printf("[%.3s]\n", unterminated);
  printf("100%% %s|\n", "");
  int n = printf("twelve bytes\n");
  printf("%d\n", n);
  return 0;
}
