//! What programs print: one test for each part of the language. Expected text is gcc's.

mod front_end;

use front_end::{check, check_in};
use sema::types::DataModel;

#[test]
fn records_unions_and_bit_fields() {
    check(
        r#"int printf(const char *, ...);
        struct __attribute__((packed)) p { char c; int x : 5; unsigned y : 13; long long z : 40; int w; };
        union u { float f; unsigned i; unsigned char b[4]; };
        struct s { int a[3]; char c; };
        struct s make(int n) { struct s s = { { n, n * 2, n * 3 }, 'q' }; return s; }
        int sum(struct s s) { s.a[0]++; return s.a[0] + s.a[1] + s.a[2]; }
        int main(void) {
            struct p p = { 1, -3, 5000, -123456789012LL, 77 };
            printf("%d %d %u %lld %d\n", (int)sizeof p, p.x, p.y, (long long)p.z, p.w);
            for (unsigned i = 0; i < sizeof p; i++) printf("%02x", ((unsigned char *)&p)[i]);
            union u u = { 1.5f };
            printf("\n%08x %02x\n", u.i, u.b[3]);
            struct s s = make(5), t = s;
            t.a[1] = 0;
            printf("%d %d %d %c\n", sum(s), s.a[0], sum(t), make(2).c);
            p.x = 17;
            printf("%d\n", p.x);
            return 0;
        }"#,
        "13 -3 5000 -123456789012 77\n011d71b2979b058d034d000000\n3fc00000 3f\n31 5 21 q\n-15\n",
    );
}

#[test]
fn integers_wrap_and_convert() {
    check(
        r#"int printf(const char *, ...);
        int main(void) {
            unsigned char u = 255; signed char s = 127; short h = -32768; _Bool b = 5;
            u++; s++; h--; b += 3;
            printf("%d %d %d %d\n", u, s, h, b);
            volatile int m = -7; volatile unsigned n = 3000000000u; volatile long long l = -1;
            printf("%d %d %d %u\n", m / 2, m % 2, m >> 1, n * 2);
            printf("%d %d\n", m < n, (unsigned)m < n);
            printf("%llx %x\n", (unsigned long long)(unsigned)l, (unsigned)(l >> 60));
            printf("%d %d %d\n", __builtin_popcount(n), __builtin_clz(n >> 4), __builtin_ctz(48));
            int r; printf("%d ", __builtin_mul_overflow(65536, 65536, &r)); printf("%d\n", r);
            return 0;
        }"#,
        "0 -128 32767 1\n-3 -1 -4 1705032704\n0 0\nffffffff ffffffff\n12 4 4\n1 0\n",
    );
}

#[test]
fn wide_integers() {
    check_in(
        DataModel::Lp64,
        r#"int printf(const char *, ...);
        void show(unsigned __int128 v) { printf("%016lx%016lx\n", (long)(v >> 64), (long)v); }
        int main(void) {
            unsigned __int128 a = 0xfedcba9876543210ul; __int128 b = -5;
            show(a * a); show(b); show(b >> 1); show(a * a / 1000000007u);
            printf("%d %d %.1f\n", (int)(b % 3), b < 0, (double)(a * 16));
            return 0;
        }"#,
        "fdbac097c8dc5accdeec6cd7a44a4100\nfffffffffffffffffffffffffffffffb\n\
         fffffffffffffffffffffffffffffffd\n0000000441c288f36ca9ef673de6bc32\n\
         -2 1 293836136711889027072.0\n",
    );
}

#[test]
fn floats() {
    check(
        r#"int printf(const char *, ...); double sqrt(double); double floor(double); double fmod(double, double);
        long double sqrtl(long double);
        int main(void) {
            float f = 16777217; volatile double z = 0;
            printf("%.1f %.9g %.17g\n", f, 0.1f, 0.1);
            printf("%f %f %f %d\n", 1 / z, -1 / z, z / z, z / z == z / z);
            printf("%d %u %lld %d\n", (int)-1.9, (unsigned)3e9, (long long)1e15, (int)(char)65.7);
            printf("%.17g %g %g\n", sqrt(2), floor(-0.5), fmod(-7, 3));
            long double l = 1.0L / 3;
            printf("%.21Lg %.20Lg %d\n", l, sqrtl(2), (int)(l * 3));
            printf("%a %.3e %G %#x %+d|%-6d|%06d|% d\n", 1.0, 12345.678, 1e-5, 255, 5, 42, -42, 7);
            return 0;
        }"#,
        "16777216.0 0.100000001 0.10000000000000001\ninf -inf -nan 0\n-1 3000000000 1000000000000000 65\n\
         1.4142135623730951 -1 -1\n0.333333333333333333342 1.4142135623730950488 1\n\
         0x1p+0 1.235e+04 1E-05 0xff +5|42    |-00042| 7\n",
    );
}

#[test]
fn variable_arguments() {
    check(
        r#"int printf(const char *, ...); int vprintf(const char *, __builtin_va_list);
        struct s { short a; char b; };
        int total(int n, ...) {
            __builtin_va_list list, copy; int sum = 0;
            __builtin_va_start(list, n); __builtin_va_copy(copy, list);
            for (int i = 0; i < n; i++) sum += __builtin_va_arg(list, int);
            for (int i = 0; i < n; i++) sum += 10 * __builtin_va_arg(copy, int);
            __builtin_va_end(copy); __builtin_va_end(list);
            return sum;
        }
        double more(int n, __builtin_va_list list) {
            double d = 0; while (n--) d += __builtin_va_arg(list, double); return d;
        }
        double doubles(int n, ...) {
            __builtin_va_list list; __builtin_va_start(list, n);
            double d = more(n, list); __builtin_va_end(list); return d;
        }
        int records(int n, ...) {
            __builtin_va_list list; __builtin_va_start(list, n);
            struct s s = __builtin_va_arg(list, struct s); long double d = __builtin_va_arg(list, long double);
            __builtin_va_end(list); return s.a + s.b + (int)d;
        }
        void print(const char *format, ...) {
            __builtin_va_list list; __builtin_va_start(list, format);
            vprintf(format, list); __builtin_va_end(list);
        }
        int main(void) {
            struct s s = { 3, 4 };
            printf("%d %g %d\n", total(3, 1, 2, 3), doubles(2, 1.5, 2.25), records(1, s, 5.0L));
            print("%s %d %c %g\n", "text", 5, 'x', 2.5);
            return 0;
        }"#,
        "66 3.75 12\ntext 5 x 2.5\n",
    );
}

#[test]
fn pointers_are_numbers() {
    check(
        r#"typedef __typeof__(sizeof 0) word;
        int printf(const char *, ...); void *memcpy(void *, const void *, word);
        int main(void) {
            int n = 7, *p = &n, *q; char bytes[sizeof p];
            word w = (word)p ^ 0x55; *(int *)(w ^ 0x55) = 8;
            memcpy(bytes, &p, sizeof p);
            for (unsigned i = 0; i < sizeof q; i++) ((char *)&q)[i] = bytes[i];
            *q += 1;
            int a[5], *e = a + 5;
            printf("%d %d %d %d\n", n, (int)(e - a), e > a, ((word)p & 3) == 0);
            return 0;
        }"#,
        "9 5 1 1\n",
    );
}

#[test]
fn control_flow() {
    check(
        r#"int printf(const char *, ...);
        int f1(int x) { return x + 1; } int f2(int x) { return x * 2; }
        int old(a, b) int a; char b; { return a * 2 + b; }
        int main(void) {
            int (*f[])(int) = { f1, &f2 }, t = 5, sw = 0;
            for (int i = 0; i < 4; i++) t = f[i % 2](t);
            void *labels[] = { &&one, &&two, &&three }; int k = 0, count = 0;
            goto *labels[k];
            one: count += 1; k = 2; goto *labels[k];
            two: count += 10; goto end;
            three: count += 100; k = 1; goto *labels[k];
            end:
            for (int i = -3; i < 10; i++)
                switch (i) { case -3 ... -1: sw++; break; case 0: sw += 10; case 1: sw += 100; break;
                             default: sw += 1000; }
            int n = 3; int vla[n][n + 1]; vla[2][3] = 9;
            int x = ({ int y = 3; y * y; });
            goto skip;
            { int z; skip: z = 4; printf("%d ", z); }
            printf("%d %d %d %d %d %d %d\n", t, count, sw, vla[2][3], (int)sizeof vla, x, old(3, 4));
            return 0;
        }"#,
        "4 26 111 8213 9 48 9 10\n",
    );
}

#[test]
fn library() {
    check(
        r#"typedef __typeof__(sizeof 0) size;
        int printf(const char *, ...); int sprintf(char *, const char *, ...); int puts(const char *);
        void qsort(void *, size, size, int (*)(const void *, const void *));
        void *bsearch(const void *, const void *, size, size, int (*)(const void *, const void *));
        size strlen(const char *); char *strcpy(char *, const char *); char *strcat(char *, const char *);
        int strcmp(const char *, const char *); char *strchr(const char *, int);
        char *strstr(const char *, const char *); long strtol(const char *, char **, int);
        int toupper(int); int isdigit(int); void *realloc(void *, size); void *calloc(size, size);
        void free(void *); char *strdup(const char *); void *memmove(void *, const void *, size);
        int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
        int main(void) {
            int a[] = { 5, 3, 9, 1, 7 }, key = 7; char text[32] = "abc", *end;
            qsort(a, 5, sizeof *a, compare);
            for (int i = 0; i < 5; i++) printf("%d ", a[i]);
            printf("%d\n", (int)((int *)bsearch(&key, a, 5, sizeof *a, compare) - a));
            strcat(text, "def"); memmove(text + 2, text, 4);
            printf("%s %d %d %s\n", text, (int)strlen(text), strcmp("a", "b") < 0, strstr("haystack", "st"));
            long n = strtol(" 0x1fz", &end, 0);
            printf("%ld %s %c %d\n", n, end, toupper('q'), !!isdigit('5'));
            int *p = calloc(2, 4); p[1] = 6; p = realloc(p, 400); printf("%d %d\n", p[0], p[1]); free(p);
            char *d = strdup("copy"); puts(d); free(d);
            printf("%d|%s\n", sprintf(text, "%5.1f", 3.14159), text);
            return 0;
        }"#,
        "1 3 5 7 9 3\nababcd 6 1 stack\n31 z Q 1\n0 6\ncopy\n5|  3.1\n",
    );
}

#[test]
fn layouts_differ_by_model() {
    let source = r#"int printf(const char *, ...);
        struct s { char c; long long l; long double d; void *p; };
        int main(void) { printf("%d %d\n", (int)sizeof(struct s), (int)sizeof(long)); return 0; }"#;
    check_in(DataModel::Ilp32, source, "28 4\n");
    check_in(DataModel::Lp64, source, "48 8\n");
}
