//! What gcc refuses is refused, at the right place and in words that help; what it only warns about
//! is accepted.

mod support;
use support::{check_errors, messages};

#[test]
fn names() {
    check_errors("int f(void) { return x; }", &["1:22: use of undeclared identifier 'x'"]);
    check_errors(
        "int f(void) { return x + x; }\nint g(void) { return x; }",
        &["1:22: use of undeclared identifier 'x'", "2:22: use of undeclared identifier 'x'"],
    );
    check_errors(
        "int f(void) { int x; int x; }",
        &["1:26: redefinition of 'x'", "  1:19: previous declaration is here"],
    );
    check_errors("enum e { A, A };", &["1:13: redefinition of 'A'", "  1:10: previous declaration is here"]);
    check_errors(
        "int f(int a, int a) { return a; }",
        &["1:18: redefinition of 'a'", "  1:11: previous declaration is here"],
    );
}

#[test]
fn redeclarations() {
    check_errors(
        "int x; float x;",
        &["1:14: conflicting types for 'x'; have 'float'", "  1:5: previous declaration is here"],
    );
    check_errors(
        "int f(int); char f(int);",
        &["1:18: conflicting types for 'f'; have 'char (int)'", "  1:5: previous declaration is here"],
    );
    check_errors(
        "int f(void) { return 1; } int f(void) { return 2; }",
        &["1:31: redefinition of 'f'", "  1:5: previous definition is here"],
    );
    check_errors(
        "int g = 1; int g = 2;",
        &["1:16: redefinition of 'g'", "  1:5: previous definition is here"],
    );
    check_errors(
        "struct s { int a; }; struct s { int b; };",
        &["1:22: redefinition of 'struct s'", "  1:1: previous definition is here"],
    );
}

#[test]
fn members_and_pointers() {
    let s = "struct s { int a; };";
    check_errors(
        &format!("{s} int f(struct s *p) {{ return p->b; }}"),
        &["1:50: no member named 'b' in 'struct s'"],
    );
    check_errors(
        "int *p; int f(void) { return p->x; }",
        &["1:30: request for member 'x' in something not a structure or union (have 'int')"],
    );
    check_errors(
        "int i; int f(void) { return i->x; }",
        &["1:29: invalid type argument of '->' (have 'int')"],
    );
    check_errors("int f(void) { return *3; }", &["1:22: invalid type argument of unary '*' (have 'int')"]);
    check_errors(
        "struct u *p; int f(void) { return p->x; }",
        &["1:35: invalid use of undefined type 'struct u'"],
    );
}

#[test]
fn operators() {
    check_errors("int f(int x) { 3 = x; }", &["1:16: lvalue required as left operand of assignment"]);
    check_errors(
        "int f(float x) { return x % 2; }",
        &["1:25: invalid operands to binary % (have 'float' and 'int')"],
    );
    check_errors(
        "int f(int *x) { return -x; }",
        &["1:24: wrong type argument to unary minus (have 'int *')"],
    );
    check_errors("const int c; void f(void) { c = 2; }", &["1:29: assignment of read-only variable 'c'"]);
    check_errors(
        "struct { int b:3; } s; int *f(void) { return &s.b; }",
        &["1:46: cannot take address of bit-field"],
    );
    let s = "struct s { int a; };";
    check_errors(
        &format!("{s} int f(struct s s) {{ if (s) return 1; }}"),
        &["1:46: used 'struct s' value where scalar is required"],
    );
    check_errors(
        &format!("{s} void f(struct s x) {{ x = 3; }}"),
        &["1:47: incompatible types when assigning to type 'struct s' from type 'int'"],
    );
    check_errors(
        "void f(char *p) { p = 3.5; }",
        &["1:23: incompatible types when assigning to type 'char *' from type 'double'"],
    );
}

#[test]
fn calls() {
    let f = "int f(int a, int b);";
    check_errors(
        &format!("{f}\nint g(void) {{ return f(1); }}"),
        &["2:22: too few arguments to function 'f'", "  1:5: declared here"],
    );
    check_errors(
        &format!("{f}\nint g(void) {{ return f(1, 2, 3); }}"),
        &["2:22: too many arguments to function 'f'", "  1:5: declared here"],
    );
    check_errors(
        "int f(int x) { return x(); }",
        &["1:23: called object of type 'int' is not a function or function pointer"],
    );
    check_errors(
        "void v(void); int f(void) { return v(); }",
        &["1:36: void value not ignored as it ought to be"],
    );
}

#[test]
fn statements() {
    check_errors("void f(void) { break; }", &["1:16: break statement not within loop or switch"]);
    check_errors(
        "void f(void) { switch (1) { continue; } }",
        &["1:29: continue statement not within a loop"],
    );
    check_errors("void f(void) { goto l; }", &["1:16: label 'l' used but not defined"]);
    check_errors(
        "void f(void) { l: l: ; }",
        &["1:19: duplicate label 'l'", "  1:16: previous definition is here"],
    );
    check_errors(
        "void f(int x) { switch (x) { case 1 ... 3: case 2: ; } }",
        &["1:49: duplicate case value", "  1:35: previously used here"],
    );
    check_errors("void f(void) { case 1: ; }", &["1:16: case label not within a switch statement"]);
}

#[test]
fn types() {
    check_errors("struct u; struct u g;", &["1:20: variable 'g' has incomplete type 'struct u'"]);
    check_errors(
        "int f(void) { return sizeof(struct u); }",
        &["1:22: invalid application of 'sizeof' to incomplete type 'struct u'"],
    );
    check_errors("int a[-1];", &["1:7: size of array is negative"]);
    check_errors("struct s { int b:40; };", &["1:18: width of 'b' exceeds its type"]);
    check_errors("int n; int a[n];", &["1:14: variably modified type at file scope"]);
    check_errors("_Static_assert(sizeof(int) == 8, \"no\");", &["1:1: static assertion failed: \"no\""]);
}

#[test]
fn initializers() {
    check_errors("int n; int g = n;", &["1:16: initializer element is not constant"]);
    check_errors("int b[2] = 3;", &["1:12: array initialized from non-constant array expression"]);
    check_errors("struct { int x; } s = { .y = 3 };", &["1:26: no member named 'y' in 'struct <anonymous>'"]);
    check_errors("int c[2] = { [5] = 1 };", &["1:15: array index in initializer exceeds array bounds"]);
    check_errors("int c[1 << 25] = { [0 ... 20000000] = 1 };", &["1:39: index range is too large"]);
}

#[test]
fn several_files_clash() {
    assert_eq!(
        messages(&["int f(void) { return 1; }", "int f(void) { return 2; }"]),
        ["1:5: redefinition of 'f'", "  1:5: previous definition is here"]
    );
}

/// gcc warns about each of these, and goes on.
#[test]
fn what_only_deserves_a_warning_is_accepted() {
    for source in [
        "int f() { return g(1); }",
        "static x; f() { return x; }",
        "int *p; void f(int i) { p = i; i = p; if (p == 3) p = (char *) 0; }",
        "char *s; void f(int *p) { s = p; p = s; p == s; p - (int *) s; }",
        "int f(void) { } void g(void) { return 1; } int h(void) { return; }",
        "void h(void); void f(void) { return h(); }",
        "int a[2] = { 1, 2, 3 }; int i = { 1, 2 };",
        "struct s { struct t; int x; }; struct s v;",
        "void f(void) { g(); } void g(int x) { }",
        "int f(a, b) char a; { return a + b; } int g(void) { return f(1); }",
        "void f(int x) { x ? f(1) : 2; x ? (int *) 0 : 3; }",
        "int puts(char *); double malloc(int);",
        "typedef int T; typedef int T; extern int v; int v; int v;",
        "int (*p)(int); double f(double); void g(void) { p = f; p = (void *) f; }",
    ] {
        check_errors(source, &[]);
    }
}

#[test]
fn offsets() {
    check_errors(
        "struct s { int a[4]; }; int x = __builtin_offsetof(struct s, a[1.0]);",
        &["1:33: array subscript is not an integer"],
    );
}
