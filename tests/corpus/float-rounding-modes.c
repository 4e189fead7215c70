// Feature: the modes of fesetround
// Exit: 0
// Output: 0
// Output: 0 0 2 -2
// Output: 0x1.199999999999ap+0 -0x1.7333333333333p+1 0x1.47ae147ae147cp-7 0x1.5555555555555p-2
// Output: 0x1.bb67ae8584caap+0 0x0p+0 0x0p+0 inf 0x0p+0
// Output: 0x1.99999ap-4 0x1.d41d42p-7 0x1.52a7fap+1 -0x0p+0
// Output: 0x1p+53 -0x1p+63
// Output: 0 400 2 -3
// Output: 0x1.1999999999999p+0 -0x1.7333333333334p+1 0x1.47ae147ae147bp-7 0x1.5555555555555p-2
// Output: 0x1.bb67ae8584caap+0 0x0p+0 -0x0p+0 0x1.fffffffffffffp+1023 0x0p+0
// Output: 0x1.999998p-4 0x1.d41d42p-7 0x1.52a7fap+1 -0x1p+0
// Output: 0x1p+53 -0x1p+63
// Output: 0 800 3 -2
// Output: 0x1.199999999999ap+0 -0x1.7333333333333p+1 0x1.47ae147ae147cp-7 0x1.5555555555556p-2
// Output: 0x1.bb67ae8584cabp+0 0x1p+0 0x0p+0 inf 0x0.0000000000001p-1022
// Output: 0x1.99999ap-4 0x1.d41d44p-7 0x1.52a7fcp+1 -0x0p+0
// Output: 0x1.0000000000001p+53 -0x1.fffffep+62
// Output: 0 c00 2 -2
// Output: 0x1.1999999999999p+0 -0x1.7333333333333p+1 0x1.47ae147ae147bp-7 0x1.5555555555555p-2
// Output: 0x1.bb67ae8584caap+0 0x0p+0 0x0p+0 0x1.fffffffffffffp+1023 0x0p+0
// Output: 0x1.999998p-4 0x1.d41d42p-7 0x1.52a7fap+1 -0x0p+0
// Output: 0x1p+53 -0x1.fffffep+62
// Output: 1 c00
int printf(const char *, ...);
int fesetround(int), fegetround(void);
double sqrt(double), rint(double);
float sqrtf(float), nearbyintf(float);
long lrint(double);

static volatile double one = 1, three = 3, tenth = 0.1, tiny = 0x1p-1060, huge = 0x1.fffffffffffffp1023;
static volatile float single = 0.1f, seven = 7;
static volatile long long big = 0x20000000000001LL, bigger = -0x7fffffffffffffffLL;

static void show(int mode) {
  volatile double sum, product, quotient, difference, root, whole, zero, over, under;
  volatile float narrow, ratio, small, near, from;
  volatile double wide;
  printf("%d", fesetround(mode));
  sum = one + tenth;
  difference = tenth - three;
  product = tenth * tenth;
  quotient = one / three;
  root = sqrt(three);
  whole = rint(tenth);
  zero = three - three;
  over = huge + huge;
  under = tiny * tiny;
  narrow = (float)tenth;
  ratio = single / seven;
  small = sqrtf(seven);
  near = nearbyintf(-ratio);
  wide = (double)big;
  from = (float)bigger;
  printf(" %x %ld %ld\n", fegetround(), lrint(2.5 * one), lrint(-2.5 * one));
  printf("%a %a %a %a\n", sum, difference, product, quotient);
  printf("%a %a %a %a %a\n", root, whole, zero, over, under);
  printf("%a %a %a %a\n", narrow, ratio, small, near);
  printf("%a %a\n", wide, from);
}

int main(void) {
  printf("%x\n", fegetround());
  show(0);
  show(0x400);
  show(0x800);
  show(0xc00);
  printf("%d %x\n", fesetround(0x123) != 0, fegetround());
  fesetround(0);
  return 0;
}
