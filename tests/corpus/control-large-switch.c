// Feature: a dense and a sparse switch as an interpreter of a small machine
// Exit: 0
// Output: -1
// Output: -2
// Output: -3
// Output: -4
// Output: -5
// Output: -6
// Output: 0
// Output: 729
int printf(const char *, ...);

enum operation { PUSH, ADD, MULTIPLY, DUPLICATE, SWAP, JUMP_IF, PRINT, STOP = 1000000 };

static void run(const int *code) {
  int stack[16], top = 0, pc = 0;
  for (;;) {
    switch (code[pc++]) {
      case PUSH: stack[top++] = code[pc++]; break;
      case ADD: top--; stack[top - 1] += stack[top]; break;
      case MULTIPLY: top--; stack[top - 1] *= stack[top]; break;
      case DUPLICATE: stack[top] = stack[top - 1]; top++; break;
      case SWAP: {
        int t = stack[top - 1];
        stack[top - 1] = stack[top - 2];
        stack[top - 2] = t;
        break;
      }
      case JUMP_IF: if (stack[--top]) pc = code[pc]; else pc++; break;
      case PRINT: printf("%d\n", stack[--top]); break;
      case STOP: return;
      default: printf("bad\n"); return;
    }
  }
}

int main(void) {
  int factorial[] = {PUSH, 1, PUSH, 6, DUPLICATE, PUSH, -7, ADD, PRINT, SWAP, PUSH, 3, MULTIPLY, SWAP,
                     PUSH, -1, ADD, DUPLICATE, JUMP_IF, 4, PRINT, PRINT, STOP};
  run(factorial);
  return 0;
}
