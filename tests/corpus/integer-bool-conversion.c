// Feature: conversion to _Bool gives 1 for everything that is not 0
// Exit: 1
// Output: 1 1 0 1 0
// Output: 1
// Output: 1
// Output: 0
// Output: 1 0
// Output: 2
int printf(const char *, ...);

int main(void) {
  _Bool from_int = 256, from_float = 0.25, from_zero = 0.0, from_pointer = &from_int;
  _Bool from_null = (void *)0;
  printf("%d %d %d %d %d\n", from_int, from_float, from_zero, from_pointer, from_null);
  _Bool b = 0;
  b = 2;
  printf("%d\n", b);
  b += 5;
  printf("%d\n", b);
  b -= 1;
  printf("%d\n", b);
  printf("%d %d\n", (_Bool)0x100000000LL, (char)0x100);
  printf("%d\n", b + (_Bool)3 + (_Bool)4);
  return sizeof(_Bool);
}
