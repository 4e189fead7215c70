// Feature: other names for functions and variables, and functions that run before main
// Exit: 0
// Output: 3 3 1
// Output: 6
// Output: 123
int printf(const char *format, ...);

static int trace;

static int start(void) {
    return 3;
}
int init_module(void) __attribute__((alias("start")));
int init_again(void) __attribute__((alias("init_module")));

int level = 5;
extern int other_level __attribute__((alias("level")));

static void __attribute__((constructor)) last(void) {
    trace = trace * 10 + 3;
}
static void second(void) __attribute__((constructor(202)));
static void second(void) {
    trace = trace * 10 + 2;
}
static void __attribute__((constructor(201))) first(void) {
    trace = trace * 10 + 1;
}

int main(void) {
    int (*pointer)(void) = init_module;
    printf("%d %d %d\n", init_module(), init_again(), pointer == start);
    other_level++;
    printf("%d\n", level);
    printf("%d\n", trace);
    return 0;
}
