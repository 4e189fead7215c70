// Feature: conversion from floats to integers truncates, from integers to floats rounds
// Exit: 3
// Output: 2 -2 0 0
// Output: 4294967295 18446744073709549568
// Output: -9223372036854775808
// Output: 16777216.0
// Output: 9007199254740992.0
// Output: 4294967296.0
// Output: 18446744073709551616.0
// Output: 4294967295.0
// Output: -100 200
int printf(const char *, ...);

int main(void) {
  printf("%d %d %d %d\n", (int)2.9, (int)-2.9, (int)0.99f, (int)-0.5);
  printf("%u %llu\n", (unsigned)4294967295.0, (unsigned long long)18446744073709549568.0);
  printf("%lld\n", (long long)-9223372036854775808.0);
  printf("%.1f\n", (float)16777217);
  printf("%.1f\n", (double)9007199254740993LL);
  printf("%.1f\n", (float)4294967295u);
  printf("%.1f\n", (double)18446744073709551615ull);
  printf("%.1f\n", (double)-1u);
  printf("%d %d\n", (signed char)-100.7, (unsigned char)200.9);
  return (int)3.99;
}
