//! What C means, written out: expressions, conversions, statements, builtins.

mod support;
use support::{Ilp32, Lp64, check, check_in};

#[test]
fn loads_and_conversions_are_explicit() {
    check("void f(int x, unsigned u) { x = u + x; }", "(x = (int)(u! + (unsigned int)x!))");
    check("void f(char c, short s) { c = c + s; }", "(c = (char)((int)c! + (int)s!))");
    check("void f(float x, int i) { x = x * i; }", "(x = (x! * (float)i!))");
    check("void f(_Bool b, int *p) { b = p; b = 0.5; }", "(b = (_Bool)p!) \n (b = 1:_Bool)");
    check("void f(long l, unsigned u) { l = l + u; }", "(l = (long)((unsigned long)l! + (unsigned long)u!))");
    check_in(Lp64, "void f(long l, unsigned u) { l = l + u; }", "(l = (l! + (long)u!))");
    check("void f(char c, long long l) { l = l << c; }", "(l = (l! << (int)c!))");
    check(
        "enum e { A }; void f(enum e x) { x = x + 1; }",
        "(x = (enum e)((unsigned int)x! + 1:unsigned int))",
    );
}

#[test]
fn bit_fields_promote_by_their_width() {
    let s = "struct { unsigned a:3, b:32; long long c:20, d:40; } s;";
    check(&format!("{s} void f(int i) {{ i = s.a + 1; }}"), "(i = ((int)s.a! + 1))");
    check(&format!("{s} void f(int i) {{ i = s.b + 1; }}"), "(i = (int)(s.b! + 1:unsigned int))");
    check(&format!("{s} void f(int i) {{ i = s.c + 1; }}"), "(i = ((int)s.c! + 1))");
    check(&format!("{s} void f(int i) {{ i = s.d >> 1; }}"), "(i = (int)(s.d! >> 1))");
    check(
        &format!("{s} void f(int i) {{ i = s.d + 1; }}"),
        "(i = (int)((long long)((unsigned long long)(s.d! + 1:long long) << 24) >> 24))",
    );
    check(&format!("{s} void f(void) {{ s.a = 9; s.a++; }}"), "(s.a = 9:unsigned int)\ns.a++");
}

#[test]
fn arrays_pointers_and_functions() {
    let a = "int a[5], *p;";
    check(
        &format!("{a} void f(int i) {{ a[i]; *(a + i); i[a]; p[i]; *p; p[0]; }}"),
        "
        a[i!]!
        a[i!]!
        a[i!]!
        *(p! +p i!)!
        *p!!
        *p!!",
    );
    check(
        &format!("{a} void f(void) {{ p = a; p = &a[2]; p = &*p; p += 2; p - a; }}"),
        "
        (p = &a[0])
        (p = &a[2])
        (p = p!)
        (p +=[int *] 2)
        (p! -pp &a[0])",
    );
    check(
        "int g(int), (*h)(int); void f(void) { g(1); (&g)(1); (***g)(1); h(1); (*h)(1); h = g; h = &g; }",
        "
        g(1)
        g(1)
        g(1)
        (*h!)(1)
        (*h!)(1)
        (h = &g)
        (h = &g)",
    );
    check("int m[2][3]; void f(int i) { i = m[1][2]; i = *m[1]; }", "(i = m[1][2]!)\n(i = m[1][0]!)");
    check("struct { int a[2]; } g(void); int f(void) { return g().a[1]; }", "return g().a[1]!");
}

#[test]
fn comparisons_and_conditionals() {
    check(
        "void f(int *p, void *v) { p == 0; 0 == p; p == v; v < p; !p; }",
        "
        (p! == 0:int *)
        (0:int * == p!)
        ((void *)p! == v!)
        (v! < (void *)p!)
        !p!",
    );
    check(
        "void f(int c, char *p, void *v) { c ? p : 0; c ? p : v; c ? 1 : 2.0; c ?: 3; }",
        "
        (c! ? p! : 0:char *)
        (c! ? (void *)p! : v!)
        (c! ? 0x3ff0000000000000:double : 0x4000000000000000:double)
        (c! ?  : 3)",
    );
}

#[test]
fn constants_fold_unless_undefined() {
    check("enum { A = 3 }; int x = -A * 2 + sizeof(int) / 2u;", "x: int { x = -4 }");
    check("int f(void) { return 1 / 0; }", "return (1 / 0)");
    check("int f(void) { return 2147483647 + 1; }", "return (2147483647 + 1)");
    check("int f(void) { return 1 << 32; }", "return (1 << 32)");
    check("unsigned f(void) { return 0u - 1; }", "return 4294967295:unsigned int");
    check("int f(int x) { return 1 ? 2 : x; }", "return 2");
    check("int f(int x) { return 0 && x; }", "return 0");
    check("int f(int x) { return x && 0; }", "return (x! && 0)");
    check(
        "char c = 300; float g = 0.1; int i = (int) 3.99;",
        "
        c: char { c = 44:char }
        g: float { g = 0x3dcccccd:float }
        i: int { i = 3 }",
    );
    check(
        "enum { M = 1 << 31, N = 2147483647 + 1 }; long long x = M;",
        "x: long long { x = -2147483648:long long }",
    );
    check(
        "struct s { int a; char b[4]; }; int x = (unsigned long) &((struct s *) 0)->b[2];",
        "x: int { x = 6 }",
    );
    check("long double l = 0.1L;", "l: long double { l = 0x3ffbcccccccccccccccd:long double }");
}

#[test]
fn literals_have_the_types_of_the_standard() {
    check_in(
        Ilp32,
        "void f(void) { 2147483648; 0x80000000; 1u; 1l; 'a'; 4294967296; }",
        "
        2147483648:long long
        2147483648:unsigned int
        1:unsigned int
        1:long
        97
        4294967296:long long",
    );
    check_in(
        Lp64,
        "void f(void) { 2147483648; 0xffffffffffffffff; L'a'; sizeof(long); }",
        "
        2147483648:long
        18446744073709551615:unsigned long
        97
        8:unsigned long",
    );
}

#[test]
fn assignments_compute_in_the_common_type() {
    check(
        "void f(char c, unsigned u, float g) { c += u; c <<= u; c *= g; u++; --c; }",
        "
        (c +=[unsigned int] u!)
        (c <<=[int] u!)
        (c *=[float] g!)
        u++
        --c",
    );
}

#[test]
fn undeclared_and_old_style_functions() {
    check("void f(char c, float x) { g(c, x); }", "g((int)c!, (double)x!)");
    check(
        "int k(a, b) char a; float b; { return a; } int f(int i) { return k(i, 1.0); }",
        "
        return k((char)i!, 0x3f800000:float)",
    );
    check("int f(int i) { return k(i); } int k(c) char c; { return c; }", "return k((char)i!)");
    check_in(Lp64, "void f(char *p) { p = malloc(3); }", "(p = (char *)malloc(3:unsigned long))");
}

#[test]
fn statements_keep_their_shape() {
    check(
        "int f(int i) { for (int j = 0, k = 1; j < i; j++) i += k; return i; }",
        "
        {
        declare j: int { j = 0 }
        declare k: int { k = 1 }
        for
        ; (j! < i!); j++
        (i +=[int] k!)
        }
        return i!",
    );
    check(
        "void f(char c) { switch (c) { case 'a': case 'b' ... 'd': c = 1; break; default: ; } }",
        "
        switch (int)c!
        {
        case 97:
        case 98..100:
        (c = 1:char)
        break
        default:
        ;
        }",
    );
    check("void f(unsigned long long u) { switch (u) { case -1: ; } }", "switch u!\n{\ncase -1:\n;\n}");
    check(
        "void f(void) { asm(\"\" ::: \"memory\"); asm(\"nop\"); asm(\"int $3\"); }",
        ";\nassembly:  = Computed()\nunsupported: inline assembly",
    );
    check(
        "int f(int x) { return ({ int y = x; y + 1; }); }",
        "
        return ({ declare y: int { y = x! } } (y! + 1))",
    );
    check(
        "void f(int i) { void *t[] = { &&a, &&b }; goto *t[i]; a: ; b: ; }",
        "
        declare t: void *[2] { t[0] = &&a; t[1] = &&b }
        goto *t[i!]!
        a:
        ;
        b:
        ;",
    );
}

#[test]
fn variable_length_arrays() {
    check(
        "void g(int k, int b[k][k + 1]); void f(int n, int a[n][n]) { g(n, a); a[1][2] = 3; }",
        "
        (__length = (unsigned int)n!)
        g(n!, (int (*)[])a!)
        (*(a! +p 1)[2] = 3)",
    );
    check(
        "void f(int n, int m) { int a[n][m]; a[1][2] = sizeof a; }",
        "
        (__length#3 = (unsigned int)n!)
        (__length#2 = (unsigned int)m!)
        declare a: int[*][*] of (__length#3! * (__length#2! * 4:unsigned int)) bytes
        (a[1][2] = (int)(__length#3! * (__length#2! * 4:unsigned int)))",
    );
}

#[test]
fn gnu_types() {
    check_in(
        Lp64,
        "typedef int T __attribute__((mode(DI))); unsigned long f(void) { return sizeof(T); }",
        "
        return 8:unsigned long",
    );
    check("enum { A = 0x100000000 } e; int x = sizeof e;", "x: int { x = 8 }");
    check("enum __attribute__((packed)) p { B } e; int x = sizeof e;", "x: int { x = 1 }");
    check(
        "int f(int x) { __auto_type y = &x; typeof(*y) z = 1; return z; }",
        "
        declare y: int * { y = &x }
        declare z: int { z = 1 }",
    );
    check("int f(int i) { return _Generic(i, long: 1, int: 2, default: 3); }", "return 2");
    check(
        "int x = __builtin_types_compatible_p(int, const int) + __builtin_choose_expr(0, \"\", 2);",
        "
        x: int { x = 3 }",
    );
    check(
        "typedef float v __attribute__((vector_size(16))); void f(v a, v b) { a = a + b; }",
        "
        (a = unsupported(arithmetic on complex or vector values))",
    );
    check(
        "union u { int i; float f; } x; void f(void) { x = (union u) 3; }",
        "
        (x = (__literal: union u) { zero; __literal.i = 3 }!)",
    );
}

#[test]
fn builtins() {
    check("int f(int x) { return __builtin_expect(x > 0, 1) ? 1 : 2; }", "return ((long)(x! > 0) ? 1 : 2)");
    check("int f(int x) { return __builtin_constant_p(x) + __builtin_constant_p(3); }", "return 1");
    check("int f(long l) { return __builtin_popcountl(l); }", "return PopulationCount((unsigned long)l!)");
    check(
        "_Bool f(int a, long b, int *p) { return __builtin_add_overflow(a, b, p); }",
        "
        return AddOverflow(a!, b!, p!)",
    );
    check(
        "double f(double x) { return __builtin_fabs(x) + __builtin_inf(); }",
        "
        return (fabs(x!) + 0x7ff0000000000000:double)",
    );
    check(
        "void f(void *p) { p = __builtin_alloca(3); __builtin_unreachable(); }",
        "
        (p = Alloca(3:unsigned int))
        Unreachable()",
    );
    check(
        "int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); return __builtin_va_arg(a, int); }",
        "
        declare a: __builtin_va_list
        VaStart(a)
        return va_arg(a, int)",
    );
    check("const char *f(void) { return __func__; }", "return &\"f\\x00\"[0]");
    check(
        "struct s { char c; struct { int x[4]; } t; }; int o = __builtin_offsetof(struct s, t.x[2]);",
        "
        o: int { o = 12 }",
    );
    check("int f(int *p) { return __sync_add_and_fetch(p, 1); }", "
        return ({ declare __temporary#1: int * { __temporary#1 = p! } declare __temporary#2: int { __temporary#2 = 1 } declare __temporary#3: int { __temporary#3 = *__temporary#1!! } (*__temporary#1! = (int)((unsigned int)__temporary#3! + (unsigned int)__temporary#2!)) } *__temporary#1!!)");
}
