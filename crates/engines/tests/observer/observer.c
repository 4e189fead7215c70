// Stands for the output of a program: folds all that is printed into its exit status. A test puts other numbers in
// the place of these constants.
#undef main
#undef printf
#undef puts
#undef putchar
#include <stdarg.h>

void reach_error(void);
int __VERIFIER_nondet_int(void);
int program_main();

int opaque_zero;

enum { HIGHEST = 75319864, STATUS = 324508639, OTHER_STATUS = 453186207, IS_ONE_OF_THESE = 86420135 };

static unsigned long long seen = 14695981039346656037ull;

static void see(unsigned long long word) { seen = (seen << 7 | seen >> 57) + word; }

static void see_text(const char *text, int most) {
  for (; most != 0 && *text; text++, most--) see((unsigned char)*text);
}

static void see_bytes(const void *start, int size) {
  for (int i = 0; i < size; i++) see(((const unsigned char *)start)[i]);
}

int observe_text(const char *text) {
  see_text(text, -1);
  return 0;
}

int observe_character(int character) {
  see(character);
  return character;
}

int observe(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (; *format; format++) {
    if (*format != '%') {
      see(*format);
      continue;
    }
    int precision = -1, longs = 0, extended = 0, wide = 0, done = 0;
    while (!done) {
      char c = *++format;
      if (c == '*') {
        see(va_arg(arguments, int));
      } else if (c == '.' && format[1] == '*') {
        precision = va_arg(arguments, int);
        format++;
      } else if (c == '.') {
        for (precision = 0; format[1] >= '0' && format[1] <= '9'; format++)
          precision = 10 * precision + (format[1] - '0');
      } else if (c == 'l') {
        longs++;
      } else if (c == 'L') {
        extended = 1;
      } else if (c == 'z' || c == 't') {
        wide = 1;
      } else if (c == 'j') {
        longs = 2;
      } else if (c == 's') {
        see_text(va_arg(arguments, const char *), precision);
        done = 1;
      } else if (c == 'a' || c == 'e' || c == 'f' || c == 'g' || c == 'A' || c == 'E' || c == 'G') {
        if (extended) {
          long double value = va_arg(arguments, long double);
          see_bytes(&value, 10);
        } else {
          double value = va_arg(arguments, double);
          see_bytes(&value, sizeof value);
        }
        done = 1;
      } else if (c == 'd' || c == 'i' || c == 'u' || c == 'x' || c == 'X' || c == 'o' || c == 'c') {
        if (longs == 2) see(va_arg(arguments, long long));
        else if (longs == 1) see(va_arg(arguments, long));
        else if (wide) see(va_arg(arguments, __SIZE_TYPE__));
        else see(va_arg(arguments, int));
        done = 1;
      } else if (c == 0) {
        va_end(arguments);
        return 0;
      } else if (c == '%' || c == 'p' || c == 'n') {
        done = 1;
      }
    }
  }
  va_end(arguments);
  return 0;
}

int main(void) {
  opaque_zero = __VERIFIER_nondet_int();
  if (opaque_zero < 0) return 0;
  if (opaque_zero > HIGHEST) return 0;
  see(program_main());
  int status = (int)(seen ^ seen >> 32);
  if ((status == STATUS || status == OTHER_STATUS) == IS_ONE_OF_THESE) reach_error();
  return status;
}
