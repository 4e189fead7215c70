// Feature: the exit status is main's result modulo 256
// Exit: 255
int main(void) { return -1; }
