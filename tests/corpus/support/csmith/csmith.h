/* In place of csmith's own header where its programs have inputs: a checksum that a verifier can follow
   through all of them, as csmith's would need a table with 256 entries at an unknown index. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define STATIC static
#define UNDEFINED(value) (value)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(name) (safe_##name)
#include "safe_math.h"

static uint64_t crc32_context;

static void transparent_crc(uint64_t value, char *name, int is_printed) {
  crc32_context = ((crc32_context << 5) | (crc32_context >> 59)) ^ value;
}

static void transparent_crc_bytes(char *bytes, int count, char *name, int is_printed) {
  for (int i = 0; i < count; i++) transparent_crc(bytes[i], name, is_printed);
}

static void crc32_gentab(void) {}
static void platform_main_begin(void) {}
static void platform_main_end(uint64_t checksum, int is_printed) {
  printf("checksum = %llX\n", (unsigned long long)checksum);
}
