/* What a verifier takes for granted, for a program that an ordinary compiler has built. The inputs
   are numbers separated by blanks in the environment variable VERIFIER_INPUTS, and 0 after the last.
   All weak: a program that defines one of these itself keeps its own. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

/* What has been printed must not be lost when the program is aborted. */
__attribute__((constructor)) static void write_at_once(void) { setvbuf(stdout, NULL, _IONBF, 0); }

static _Noreturn void end(const char *how) {
  fprintf(stderr, "ended: %s\n", how);
  _exit(10);
}

static long double next_input(void) {
  static char *position;
  if (!position) position = getenv("VERIFIER_INPUTS");
  if (!position) return 0;
  char *after = position;
  long double value = strtold(position, &after);
  position = after;
  return value;
}

WEAK void reach_error(void) { end("error call reach_error"); }
WEAK void __VERIFIER_error(void) { end("error call __VERIFIER_error"); }
WEAK void __VERIFIER_assume(int holds) {
  if (!holds) end("assumption violated");
}

/* A long double holds every 64-bit integer exactly on the machines that these tests run on. */
#define NONDET(name, type) \
  WEAK type __VERIFIER_nondet_##name(void) { return (type)next_input(); }
#define NONDET_SIGNED(name, type) \
  WEAK type __VERIFIER_nondet_##name(void) { return (type)(long long)next_input(); }

NONDET_SIGNED(char, char)
NONDET_SIGNED(schar, signed char)
NONDET(uchar, unsigned char)
NONDET_SIGNED(short, short)
NONDET(ushort, unsigned short)
NONDET_SIGNED(int, int)
NONDET(uint, unsigned int)
NONDET_SIGNED(long, long)
NONDET(ulong, unsigned long)
NONDET_SIGNED(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(bool, _Bool)
NONDET(float, float)
NONDET(double, double)
