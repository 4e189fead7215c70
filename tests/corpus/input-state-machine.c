// Feature: a controller that reads one command after another
// Inputs: 1 1 2 3 1 2 2 0
// Exit: 0
// Output: 1200100
unsigned char __VERIFIER_nondet_uchar(void);
int printf(const char *, ...);

enum state { OFF, STARTING, RUNNING, FAULT };
static enum state state;

static void step(unsigned char command) {
  switch (state) {
    case OFF: if (command == 1) state = STARTING; break;
    case STARTING: state = command == 1 ? RUNNING : command == 2 ? OFF : FAULT; break;
    case RUNNING: if (command == 2) state = OFF; else if (command == 3) state = FAULT; break;
    case FAULT: if (command == 2) state = OFF;
  }
}

int main(void) {
  unsigned char command;
  while ((command = __VERIFIER_nondet_uchar())) {
    step(command);
    printf("%d", state);
  }
  printf("\n");
  return state;
}
