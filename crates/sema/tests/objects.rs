//! Objects: initialisers, layout, linkage between files. Layouts are those that gcc 12 gives.

mod support;
use support::{DataModel, Ilp32, Lp64, check, check_in, check_lines, dump_files};

#[test]
fn aggregates() {
    check("int a[] = { [3] = 4, 5, [0] = 1 };", "a: int[5] { zero; a[3] = 4; a[4] = 5; a[0] = 1 }");
    check(
        "int m[2][2] = { 1, 2, 3, 4 };",
        "m: int[2][2] { m[0][0] = 1; m[0][1] = 2; m[1][0] = 3; m[1][1] = 4 }",
    );
    check("int m[2][3] = { {1}, {2, 3} };", "m: int[2][3] { zero; m[0][0] = 1; m[1][0] = 2; m[1][1] = 3 }");
    check(
        "struct { int x, y; } p[2] = { {1, 2}, 3, 4 };",
        "{ p[0].x = 1; p[0].y = 2; p[1].x = 3; p[1].y = 4 }"
            .replace("{ p[0]", "p: struct <anonymous>[2] { p[0]")
            .as_str(),
    );
    check("int r[5] = { [1 ... 3] = 7 };", "r: int[5] { zero; r[1] = 7; r[2] = 7; r[3] = 7 }");
    check("int i = { { 3 } }, z = {};", "i: int { i = 3 }\nz: int { z = 0 }");
    check("char a[2] = { [0] = 1, [0] = 2 };", "a: char[2] { zero; a[0] = 1:char; a[0] = 2:char }");
}

#[test]
fn strings() {
    check(
        "char a[] = \"hi\", b[2] = \"hi\", c[5] = { \"hi\" }, *d = \"hi\";",
        "
        a: char[3] { a = \"hi\\x00\" }
        b: char[2] { b = \"hi\" }
        c: char[5] { zero; c = \"hi\\x00\" }
        d: char * { d = &\"hi\\x00\"[0] }",
    );
    check(
        "char a[][3] = { \"ab\", { 'c' } };",
        "a: char[2][3] { zero; a[0] = \"ab\\x00\"; a[1][0] = 99:char }",
    );
}

#[test]
fn designators_nest_and_override() {
    check(
        "struct { char d[3]; int e; } v = { .d = 1, 2, 3, 4 };",
        "v: struct <anonymous> { v.d[0] = 1:char; v.d[1] = 2:char; v.d[2] = 3:char; v.e = 4 }",
    );
    check("int a[][0] = { 1, 2 }; struct { int z[0], b; } s = { 3 };", "s: struct <anonymous> { s.b = 3 }");
    let n = "struct n { struct { int x, y; } p[2]; int z; };";
    check(
        &format!("{n} struct n v = {{ .p[1].x = 3, 4, 5, .p[0] = {{ 1 }} }};"),
        "
        v: struct n { zero; v.p[1].x = 3; v.p[1].y = 4; v.z = 5; v.p[0].x = 1 }",
    );
    check(
        &format!("{n} struct n v = {{ .p = {{ {{1, 2}} }}, .p = {{ {{9}} }} }};"),
        "
        v: struct n { zero; v.p[0].x = 9 }",
    );
    check(
        "union { int i; char c[8]; } u = { .c = \"abc\", .i = 3 };",
        "u: union <anonymous> { zero; u.i = 3 }",
    );
    check(
        "struct { int a; struct { int b; union { int c; float d; }; }; int e; } v = { .c = 5, 6, .b = 7 };",
        "
        v: struct <anonymous> { zero; v.<1>.<1>.c = 5; v.e = 6; v.<1>.b = 7 }",
    );
}

#[test]
fn values_of_struct_type() {
    let s = "struct s { int x, y; }; struct t { struct s s; int z; };";
    check(
        &format!(
            "{s} void f(struct s a) {{ struct t v = {{ a, 3 }}, w = v; struct s *p = &(struct s) {{ 1 }}; }}"
        ),
        "
        declare v: struct t { v.s = a!; v.z = 3 }
        declare w: struct t { w = v! }
        declare p: struct s * { p = &(__literal: struct s) { zero; __literal.x = 1 } }",
    );
    check(
        "int *p = (int[]) { 1, 2 }; int a[] = (int[]) { 1, 2 };",
        "
        p: int * { p = &__literal[0] }
        __literal: int[2] { __literal[0] = 1; __literal[1] = 2 }
        a: int[2] { a[0] = 1; a[1] = 2 }",
    );
}

#[test]
fn flexible_members_grow_the_object() {
    let s = "struct f { int n; char d[]; };";
    check(
        &format!("{s} struct f v = {{ 3, \"abc\" }}; int x = sizeof v;"),
        "
        struct f: size 4 align 4
        n: int at 0
        d: char[] at 4
        struct f: size 8 align 4
        n: int at 0
        d: char[4] at 4
        v: struct f { zero; v.n = 3; v.d = \"abc\\x00\" }
        x: int { x = 4 }",
    );
}

/// Each row: declaration, size and alignment on i386, on x86-64.
#[test]
fn sizes_and_alignments() {
    let rows: &[(&str, [u64; 2], [u64; 2])] = &[
        ("struct s { char c; double d; };", [12, 4], [16, 8]),
        ("struct s { char c; long long l; };", [12, 4], [16, 8]),
        ("struct s { char c; long double d; };", [16, 4], [32, 16]),
        ("struct s { char c; void *p; short s; };", [12, 4], [24, 8]),
        ("struct s { };", [0, 1], [0, 1]),
        ("struct s { int n; char a[]; };", [4, 4], [4, 4]),
        ("struct s { char c; int i; } __attribute__((packed));", [5, 1], [5, 1]),
        ("struct s { char c; int i __attribute__((packed)); };", [5, 1], [5, 1]),
        ("struct s { char c; int i; } __attribute__((packed, aligned(4)));", [8, 4], [8, 4]),
        ("struct s { char c __attribute__((aligned(8))); };", [8, 8], [8, 8]),
        ("struct s { char c; _Alignas(16) char d; };", [32, 16], [32, 16]),
        ("typedef int T __attribute__((aligned(1))); struct s { char c; T t; };", [5, 1], [5, 1]),
        ("struct s { int a:3, b:30; };", [8, 4], [8, 4]),
        ("struct s { char a:3; int b:30; };", [8, 4], [8, 4]),
        ("struct s { long long a:33; char c; };", [8, 4], [8, 8]),
        ("struct s { long long a:33, b:33; };", [12, 4], [16, 8]),
        ("struct s { char a; int :0; char b; };", [5, 1], [5, 1]),
        ("struct s { _Bool a:1, b:1; unsigned short c:15; };", [4, 2], [4, 2]),
        ("struct s { int a:7; long long b:60; } __attribute__((packed));", [9, 1], [9, 1]),
        ("union s { char c[5]; int i; };", [8, 4], [8, 4]),
        ("union s { char c[5]; int i; } __attribute__((packed));", [5, 1], [5, 1]),
        ("#pragma pack(2)\nstruct s { char c; int i; };", [6, 2], [6, 2]),
    ];
    for (source, on_i386, on_x86_64) in rows {
        for (model, [size, align]) in [(Ilp32, on_i386), (Lp64, on_x86_64)] {
            let word = if source.contains("union s") { "union" } else { "struct" };
            check_in(model, source, &format!("{word} s: size {size} align {align}"));
        }
    }
}

#[test]
fn bit_fields_lie_where_gcc_puts_them() {
    check(
        "struct s { unsigned a:3; long long b:40; char c; };",
        "
        a: unsigned int at 0 bits 0..3
        b: long long at 0 bits 3..43
        c: char at 6",
    );
    check(
        "struct s { int a; unsigned b:3; long long c:40; };",
        "
        b: unsigned int at 4 bits 0..3
        c: long long at 4 bits 3..43",
    );
    check(
        "struct s { char a; int b:20; int c:20; } __attribute__((packed));",
        "
        b: int at 0 bits 8..28
        c: int at 3 bits 4..24",
    );
}

fn check_linked(files: &[&str], expected: &str) {
    check_lines(&dump_files(files, DataModel::Ilp32), &files.join("\n----\n"), expected);
}

#[test]
fn declarations_of_one_object_come_together() {
    check("extern int a[]; int f(void) { return a[1]; } int a[3];", "a: int[3]");
    check("int a[];", "a: int[1]");
    check("extern int x;", "extern x: int");
    check("int f(); int f(int x) { return x; }", "f: int (int) (x)");
    check(
        "void f(void) { static int n = 3; n++; { extern int y; y = 1; } }",
        "
        n: int { n = 3 }
        extern y: int",
    );
}

#[test]
fn files_share_external_names_and_hide_static_ones() {
    check_linked(&["extern int x; int f(void) { return x; }", "int x = 3;"], "x: int { x = 3 }");
    check_linked(&["static int x = 1;", "static int x = 2;"], "x#0: int { x#0 = 1 }\nx#1: int { x#1 = 2 }");
    check_linked(
        &["int g(void); int f(void) { return g(); }", "int g(void) { return 1; }"],
        "
        g: int (void) ()
        {
        return 1
        }",
    );
    check_linked(&["int f(int x) { return g(x); }", "int g(char c) { return c; }"], "return g((char)x!)");
    check_linked(&["inline int g(void) { return 1; }", "inline int g(void) { return 1; } int h;"], "h: int");
    check_linked(&["int t;", "int t = 2;"], "t: int { t = 2 }");
    let s = "struct s { int x; struct s *next; };";
    let uses =
        format!("{s} extern struct s g; int f(struct s, struct s *); int h(void) {{ return f(g, &g); }}");
    let defines = format!("{s} struct s g = {{ 3 }}; int f(struct s p, struct s *q) {{ return p.x; }}");
    check_linked(&[&uses, &defines], "g: struct s { zero; g.x = 3 }");
    check_linked(&[&defines, &uses], "return f(g!, &g)");
}
