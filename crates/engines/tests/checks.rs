//! What can be checked beside assertions: small programs, right and wrong, for each check.

mod support;

use base::Budget;
use engines::{Analyses, Options, Outcome, Task};
use sema::types::DataModel;
use std::time::Duration;
use support::{load_with, unreachable};
use task::Goal;

const HEAD: &str = "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);
    void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
    void *realloc(void *, unsigned long); void *alloca(unsigned long); void exit(int); void abort(void);
    void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
    struct n { struct n *next; int v; };\n";

fn verdict(outcome: &Outcome) -> String {
    match outcome {
        Outcome::True => "TRUE".into(),
        Outcome::False { goal, .. } => format!("FALSE({goal})"),
        Outcome::Unknown { reason, .. } => format!("UNKNOWN {reason:?}"),
    }
}

fn check(goals: &[Goal], source: &str, expected: &str) {
    check_in(DataModel::Lp64, goals, source, expected);
}

/// Runs both engines, up to a bound; k-induction must give the verdict, and BMC nothing else.
fn check_in(model: DataModel, goals: &[Goal], source: &str, expected: &str) {
    let head = match model {
        DataModel::Lp64 => HEAD.to_string(),
        DataModel::Ilp32 => HEAD.replace("unsigned long", "unsigned"),
    };
    let source = format!("{head}{source}");
    let program = load_with(&source, model, task::lives(goals));
    let analyses = Analyses::new(&program);
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let options = Options { max_unwind: Some(8), ..Options::default() };
    let task = Task { program: &program, analyses: &analyses, goals, condition: None, budget: &budget };
    let found = verdict(&engines::kinduction::run(task, &options).outcome);
    let expected_start = if expected == "UNKNOWN" { "UNKNOWN" } else { expected };
    assert!(found.starts_with(expected_start), "{found}, not {expected}\n{source}");
    let bounded = verdict(&engines::bmc::run(task, &options).outcome);
    assert!(bounded.starts_with("UNKNOWN") || bounded == found, "bmc says {bounded}\n{source}");
}

fn main_of(body: &str) -> String {
    format!("int main(void) {{ {body} return 0; }}")
}

#[test]
fn division() {
    let goals = [Goal::ValidDivision];
    let check = |body: &str, expected: &str| check(&goals, &main_of(body), expected);
    check("int x = __VERIFIER_nondet_int(); return 10 / x;", "FALSE(valid-division)");
    check("int x = __VERIFIER_nondet_int(); return 10 % x;", "FALSE(valid-division)");
    check("unsigned x = __VERIFIER_nondet_uint(); return 10 / (x | 1);", "TRUE");
    check("int x = __VERIFIER_nondet_int(); if (x != 0 && 10 / x > 3) return 1;", "TRUE");
    check("int x = __VERIFIER_nondet_int(); x %= x - 7;", "FALSE(valid-division)");
    // The lowest number divided by -1 is an overflow, not a division by zero.
    check("int x = __VERIFIER_nondet_int(); x = x / -1;", "TRUE");
    check("double d = __VERIFIER_nondet_int(); d = 1 / d;", "TRUE");
}

#[test]
fn overflow_of_division() {
    let goals = [Goal::NoOverflow];
    check(&goals, &main_of("int x = __VERIFIER_nondet_int(); x = x / -1;"), "FALSE(no-overflow)");
    check(&goals, &main_of("int x = __VERIFIER_nondet_int(); x = x / 2;"), "TRUE");
}

#[test]
fn shifts() {
    let goals = [Goal::ValidShift];
    let check = |body: &str, expected: &str| check(&goals, &main_of(body), expected);
    check("int x = __VERIFIER_nondet_int(); return 1 << x;", "FALSE(valid-shift)");
    check("int x = __VERIFIER_nondet_int(); return 1 >> (x & 31);", "TRUE");
    check("int x = __VERIFIER_nondet_int(); if (x < 32) return 1 >> x;", "FALSE(valid-shift)");
    check("int x = __VERIFIER_nondet_int(); if (x < 64 && x >= 0) return 1ull << x;", "TRUE");
    check("int x = __VERIFIER_nondet_int(); if (x < 64 && x >= 0) return 1u << x;", "FALSE(valid-shift)");
    check("long long x = 1ll << 32; x <<= x;", "FALSE(valid-shift)");
}

#[test]
fn what_a_left_shift_loses() {
    let goals = [Goal::NoOverflow];
    let check = |body: &str, expected: &str| check(&goals, &main_of(body), expected);
    check("int x = __VERIFIER_nondet_int(); if (x >= 0 && x < 32) return 1 << x;", "FALSE(no-overflow)");
    check("int x = __VERIFIER_nondet_int(); if (x >= 0 && x < 31) return 1 << x;", "TRUE");
    check("unsigned char c = __VERIFIER_nondet_uint(); return c << 24u;", "FALSE(no-overflow)");
    check("unsigned char c = __VERIFIER_nondet_uint(); return c << 23u;", "TRUE");
    check("unsigned x = __VERIFIER_nondet_uint(); x = x << 31;", "TRUE");
    check("long long x = __VERIFIER_nondet_int(); x <<= 32;", "TRUE");
    check("long long x = __VERIFIER_nondet_int(); x <<= 33;", "FALSE(no-overflow)");
    check("int x = __VERIFIER_nondet_int(); if (x >= -4 && x <= 3) x = x << 29;", "TRUE");
    check("int x = __VERIFIER_nondet_int(); if (x >= -4 && x <= 4) x = x << 29;", "FALSE(no-overflow)");
    check("int x = __VERIFIER_nondet_int(); x = x << 33;", "FALSE(no-overflow)");
    check("int x = 1 << 25; for (int i = 0; i < 5; i++) x <<= 1;", "TRUE");
    check("int x = 1 << 25; for (int i = 0; i < 6; i++) x <<= 1;", "FALSE(no-overflow)");
}

#[test]
fn indices() {
    let goals = [Goal::ValidIndex];
    let check = |source: &str, expected: &str| check(&goals, source, expected);
    check("int a[5]; int main(void) { return a[__VERIFIER_nondet_uint() % 5]; }", "TRUE");
    check("int a[5]; int main(void) { return a[__VERIFIER_nondet_uint() % 6]; }", "FALSE(valid-index)");
    check(
        "int a[5]; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 5) a[i] = 1; }",
        "FALSE(valid-index)",
    );
    check("int a[5]; int main(void) { a[5] = 1; return 0; }", "FALSE(valid-index)");
    // Inside of the object, but not of the array.
    check("int a[3][4]; int main(void) { return a[1][4]; }", "FALSE(valid-index)");
    check("struct { int a[2]; int b[2]; } s; int main(void) { return s.a[2]; }", "FALSE(valid-index)");
    check("int a[5]; int main(void) { int *end = &a[5]; return end - a; }", "TRUE");
    check(
        "int a[3][4]; int main(void) { int (*p)[4] = a + 1; return p[1][__VERIFIER_nondet_uint() % 4]; }",
        "TRUE",
    );
    check(
        "int a[3][4]; int main(void) { int (*p)[4] = a + 1; return p[1][__VERIFIER_nondet_uint() % 5]; }",
        "FALSE(valid-index)",
    );
    check("struct f { int n; int a[]; } *p; int main(void) { p = malloc(40); return p->a[3]; }", "TRUE");
}

#[test]
fn dereferences() {
    let goals = [Goal::ValidDereference];
    let check = |source: &str, expected: &str| check(&goals, source, expected);
    let bad = "FALSE(valid-deref)";
    check("int main(void) { int *p = 0; return *p; }", bad);
    check("int main(void) { int x = 0; int *p = __VERIFIER_nondet_int() ? &x : 0; return *p; }", bad);
    check(
        "int main(void) { int x = 0; int *p = __VERIFIER_nondet_int() ? &x : 0; return p ? *p : 0; }",
        "TRUE",
    );
    check("int main(void) { int a[4] = {0}; int *p = a; return p[__VERIFIER_nondet_uint() % 5]; }", bad);
    check("int main(void) { int a[4] = {0}; int *p = a; return p[__VERIFIER_nondet_uint() % 4]; }", "TRUE");
    check("int main(void) { char *p = malloc(4); p[3] = 1; free(p); return 0; }", "TRUE");
    check("int main(void) { char *p = malloc(4); p[4] = 1; free(p); return 0; }", bad);
    check("int main(void) { char *p = malloc(4); free(p); return p[0]; }", bad);
    check(
        "int main(void) { char *p = malloc(4), *q = p; if (__VERIFIER_nondet_int()) free(p); q[0] = 1; return 0; }",
        bad,
    );
    check(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint() % 100; char *p = malloc(n); p[n] = 1; return 0; }",
        bad,
    );
    check(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint() % 100; char *p = malloc(n + 1); p[n] = 1; return 0; }",
        "TRUE",
    );
    check("int main(void) { char *s = \"abc\"; return s[3]; }", "TRUE");
    check("int main(void) { char *s = \"abc\"; return s[4]; }", bad);
    check("int main(void) { char *s = \"abc\"; s[0] = 1; return 0; }", bad);
    check("int main(void) { char a[4]; memset(a, 0, 5); return 0; }", bad);
    check("int main(void) { char a[4], b[4]; memset(b, 0, 4); memcpy(a, b, 4); return a[1]; }", "TRUE");
    check(
        "int a[4], b[4]; int main(void) { int *p = __VERIFIER_nondet_int() ? a : b; return p[__VERIFIER_nondet_int()]; }",
        bad,
    );
}

/// What an address is inside of by its number does not make an access valid.
#[test]
fn pointers_that_are_moved_out_of_their_objects() {
    let goals = [Goal::ValidDereference];
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let check = |body: &str, expected: &str| {
            let globals = "int a[10], b[3000], c[3000]; struct { int v[4]; } s;";
            check_in(model, &goals, &format!("{globals} {}", main_of(body)), expected);
        };
        let wrong = "FALSE(valid-deref)";
        check("int *q = a + 200; *q = 1;", wrong);
        check("int *q = &a[200]; *q = 1;", wrong);
        check("int *q = &s.v[300]; *q = 1;", wrong);
        check("int *q = b - 200; *q = 1;", wrong);
        check("int *q = a + 200, *r = b; if (__VERIFIER_nondet_int()) r = q; *r = 1;", wrong);
        check("char *p = malloc(10), *q = malloc(10000), *r = p; r += 8000; *r = 1;", wrong);
        check("char *p = malloc(10), *r = p + 8000, *q = malloc(10000); *r = 1;", wrong);
        check(
            "char *p = malloc(10), *q = malloc(10000); if (__VERIFIER_nondet_int()) q = p; q += 8000; *q = 1;",
            wrong,
        );
        check(
            "unsigned n = __VERIFIER_nondet_uint(); int *q = a + 150; if (n < 50) { q += n; *q = 1; }",
            wrong,
        );
        // Further than the encoder looks.
        check("char *p = malloc(10); p += 0xf0000000u; *p = 1;", "UNKNOWN");
        check("char *p = malloc(10); p += 0x50000000u; p += 0x60000000u; *p = 1;", "UNKNOWN");
        // They may leave as long as they come back.
        check("int *q = a - 1; for (int i = 1; i <= 5; i++) q[i] = i; *(q + 10) = 1;", "TRUE");
        check("int *q = a + 200; q -= 195; *q = 1;", "TRUE");
        check("int *q = a + 200; q[-195] = 1;", "TRUE");
        check("int *end = c + 7; for (int *q = c; q < end; q++) *q = 0;", "TRUE");
    }
}

#[test]
fn dead_locals() {
    let goals = [Goal::ValidDereference];
    let check = |source: &str, expected: &str| check(&goals, source, expected);
    let bad = "FALSE(valid-deref)";
    check("int *f(void) { int x = 1; int *p = &x; return p; } int main(void) { return *f(); }", bad);
    check("int *p; void f(int x) { p = &x; } int main(void) { f(1); return *p; }", bad);
    // The variable is alive again, but the pointer is into its earlier life.
    check(
        "int *p; int f(int first) { int x = 1; if (first) p = &x; return *p; }
            int main(void) { f(1); return f(0); }",
        bad,
    );
    check(
        "int *p; int f(void) { int x = 1; p = &x; return *p; } int main(void) { f(); return f(); }",
        "TRUE",
    );
    check("int main(void) { int *p; { int x = 3; p = &x; } return *p; }", bad);
    check(
        "int main(void) { int *p; int s = 0; for (int i = 0; i < 3; i++) { int x = i; p = &x; s += *p; } return s; }",
        "TRUE",
    );
    check(
        "int main(void) { int y = 0; int *p = &y; for (int i = 0; i < 3; i++) { int x = *p; p = &x; } return 0; }",
        bad,
    );
    check("char *f(void) { char *p = alloca(4); p[0] = 1; return p; } int main(void) { return *f(); }", bad);
    check("int f(int *p) { return *p; } int main(void) { int x = 1; return f(&x); }", "TRUE");
    check(
        "int f(int n, int *p) { int x = n; return n <= 0 ? *p : f(n - 1, &x); } int main(void) { int y = 0; return f(3, &y); }",
        "TRUE",
    );
}

#[test]
fn frees() {
    let goals = [Goal::ValidFree];
    let check = |body: &str, expected: &str| check(&goals, &main_of(body), expected);
    let bad = "FALSE(valid-free)";
    check("free(0); char *p = malloc(1); free(p);", "TRUE");
    check("char *p = malloc(1); free(p); free(p);", bad);
    check("char *p = malloc(2); free(p + 1);", bad);
    check("int x; free(&x);", bad);
    check("char *p = malloc(2), *q = malloc(2); if (__VERIFIER_nondet_int()) q = p; free(p); free(q);", bad);
    check("char *p = alloca(2); free(p);", bad);
    check("char *p = malloc(2); p = realloc(p, 5); free(p);", "TRUE");
    check("char *p = malloc(2), *q = realloc(p, 5); free(p);", bad);
}

#[test]
fn memory_that_is_left() {
    let goals = [Goal::ValidMemoryCleanup];
    let check = |source: &str, expected: &str| check(&goals, source, expected);
    let bad = "FALSE(valid-memcleanup)";
    check("int main(void) { char *p = malloc(1); free(p); return 0; }", "TRUE");
    check("char *p; int main(void) { p = malloc(1); return 0; }", bad);
    check("int main(void) { char *p = malloc(1); if (__VERIFIER_nondet_int()) free(p); return 0; }", bad);
    check(
        "int main(void) { char *p; if (__VERIFIER_nondet_int()) { p = malloc(1); free(p); } return 0; }",
        "TRUE",
    );
    check(
        "int main(void) { char *p = malloc(1); if (__VERIFIER_nondet_int()) exit(1); free(p); return 0; }",
        bad,
    );
    check(
        "int main(void) { char *p = malloc(1); if (__VERIFIER_nondet_int()) abort(); free(p); return 0; }",
        bad,
    );
    check(
        "int main(void) { char *p = malloc(1); free(p); if (__VERIFIER_nondet_int()) abort(); return 0; }",
        "TRUE",
    );
    check("int main(void) { char *p = alloca(1); return 0; }", "TRUE");
    check(
        "int main(void) { while (__VERIFIER_nondet_int()) { char *p = malloc(1); if (__VERIFIER_nondet_int()) free(p); } return 0; }",
        bad,
    );
}

#[test]
fn memory_that_is_lost() {
    let goals = [Goal::ValidMemoryTracking];
    let check = |source: &str, expected: &str| check(&goals, source, expected);
    let bad = "FALSE(valid-memtrack)";
    check("char *p; int main(void) { p = malloc(1); return 0; }", "TRUE");
    check("int main(void) { char *p = malloc(1); return 0; }", bad);
    check("int main(void) { char *p = malloc(1); exit(0); }", "TRUE");
    check("char *p; int main(void) { p = malloc(1); p = malloc(2); free(p); return 0; }", bad);
    check(
        "struct n *h; int main(void) { h = malloc(sizeof *h); h->next = malloc(sizeof *h); h->next->next = 0; return 0; }",
        "TRUE",
    );
    check(
        "struct n *h; int main(void) { h = malloc(sizeof *h); h->next = malloc(sizeof *h); h->next->next = 0;
            if (__VERIFIER_nondet_int()) h->next = 0; return 0; }",
        bad,
    );
    check("char *p; int main(void) { p = (char *)malloc(9) + 5; return 0; }", "TRUE");
    // A result that nobody wants.
    check("char *f(void) { return malloc(1); } int main(void) { f(); return 0; }", bad);
    check(
        "struct n f(void) { struct n x; x.next = malloc(1); return x; } int main(void) { f(); return 0; }",
        bad,
    );
    // No variable of the program has it, though values on their way had.
    check("int main(void) { char *p = malloc(1); p = 0; exit(0); }", bad);
    check("int main(void) { struct n x = { malloc(1) }, y = x; x.next = y.next = 0; exit(0); }", bad);
    check("void f(char *q) { q = 0; exit(0); } int main(void) { f(malloc(1)); }", bad);
    // Its block has been left.
    check("int main(void) { { char *p = malloc(1); } exit(0); }", bad);
    check("int main(void) { { char *p = malloc(1); exit(0); } }", "TRUE");
    check("void f(void) { exit(0); } int main(void) { { char *p = malloc(1); f(); } }", "TRUE");
    check("int main(void) { { struct n x = { malloc(1) }; } abort(); }", bad);
    check("int main(void) { { char *p = malloc(1); if (p) goto out; free(p); } out: exit(0); }", bad);
    check(
        "int main(void) { for (char *p = malloc(1); p;) { if (__VERIFIER_nondet_int()) break; } exit(0); }",
        bad,
    );
    // Two that point to each other are lost together.
    check(
        "int main(void) { struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->next = b; b->next = a; return 0; }",
        bad,
    );
    // A run that loses memory and goes on for ever must not be proved.
    check(
        "int main(void) { char *p = malloc(1); p = 0; while (__VERIFIER_nondet_int() || 1) ; return 0; }",
        "UNKNOWN",
    );
}

#[test]
fn induction_with_memory() {
    let goals = [Goal::ValidDereference, Goal::ValidFree];
    let check = |source: &str, expected: &str| check(&goals, source, expected);
    check(
        "int main(void) { int x = 0; int *p = &x; while (__VERIFIER_nondet_int()) { *p = __VERIFIER_nondet_int(); } return 0; }",
        "TRUE",
    );
    check(
        "int main(void) { char *p = malloc(4); while (__VERIFIER_nondet_int()) p[__VERIFIER_nondet_uint() % 4] = 1; free(p); return 0; }",
        "TRUE",
    );
    // Wrong only after more iterations than are unwound here.
    check(
        "int main(void) { char *p = malloc(4); int n = 0; while (__VERIFIER_nondet_int()) { p[0] = 1; if (n == 30) free(p); n++; } return 0; }",
        "UNKNOWN",
    );
    check(
        "int main(void) { int *p = 0; int n = 0; int y = 0; p = &y;
            while (__VERIFIER_nondet_int()) { int x = 0; *p = 1; if (n == 30) p = &x; n++; } return 0; }",
        "UNKNOWN",
    );
    check(
        "struct n *h; int main(void) { int n = 0; while (__VERIFIER_nondet_int()) { struct n *m = malloc(sizeof *m);
            m->next = h; h = m; if (n == 30) free(m); n++; } while (h) h = h->next; return 0; }",
        "UNKNOWN",
    );
}

#[test]
fn uninitialised_use() {
    let goals = [Goal::Initialised];
    let check = |source: &str, expected: &str| check(&goals, source, expected);
    let bad = "FALSE(initialised)";
    check("int main(void) { int x; return x; }", bad);
    check("int main(void) { int x; x = 1; return x; }", "TRUE");
    check("int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; return x; }", bad);
    check("int main(void) { int x, c = __VERIFIER_nondet_int(); if (c) x = 1; return c ? x : 0; }", "TRUE");
    check("int main(void) { int x, c = __VERIFIER_nondet_int(); if (c) x = 1; return c ? 0 : x; }", bad);
    check("int g; int main(void) { static int s; return g + s; }", "TRUE");
    check("int main(void) { int x; int *p = &x; return *p; }", bad);
    check("int main(void) { int x; int *p = &x; *p = 1; return x; }", "TRUE");
    check("int main(void) { int a[3] = {1}; return a[__VERIFIER_nondet_uint() % 3]; }", "TRUE");
    check("int main(void) { int a[3]; a[0] = a[2] = 1; return a[__VERIFIER_nondet_uint() % 3]; }", bad);
    check(
        "int main(void) { int a[3]; for (int i = 0; i < 3; i++) a[i] = i; return a[__VERIFIER_nondet_uint() % 3]; }",
        "TRUE",
    );
    check("int main(void) { int *p = malloc(8); p[0] = 1; return p[1]; }", bad);
    check("int main(void) { int *p = calloc(2, 4); return p[1]; }", "TRUE");
    check("int main(void) { int *p = malloc(8); memset(p, 0, 8); return p[1]; }", "TRUE");
    check("int main(void) { int *p = malloc(8); memset(p, 0, 7); return p[1]; }", bad);
    check("struct s { int a, b; }; int main(void) { struct s x, y; x.a = 1; y = x; return y.a; }", "TRUE");
    check("struct s { int a, b; }; int main(void) { struct s x, y; x.a = 1; y = x; return y.b; }", bad);
    check("int main(void) { int a[2], b[2]; a[1] = 3; memcpy(b, a, sizeof a); return b[1]; }", "TRUE");
    check("int main(void) { int a[2], b[2]; a[1] = 3; memcpy(b, a, sizeof a); return b[0]; }", bad);
    check(
        "struct s { int a, b; }; struct s f(void) { struct s r; r.a = 1; return r; } int main(void) { return f().a; }",
        "TRUE",
    );
    // What is returned or passed as a record counts as written.
    check(
        "struct s { int a, b; }; struct s f(void) { struct s r; r.a = 1; return r; } int main(void) { return f().b; }",
        "TRUE",
    );
    check("struct s { unsigned a : 10, b : 10; }; int main(void) { struct s r; r.b = 1; return r.a; }", bad);
    check(
        "struct s { unsigned a : 10, b : 10; }; int main(void) { struct s r; r.a = 1; r.b = 1; return r.a + r.b; }",
        "TRUE",
    );
    check("int f(int x) { return x; } int main(void) { int x; return f(x); }", bad);
    check("int f(int x) { int *p = &x; return *p; } int main(void) { return f(1); }", "TRUE");
    check(
        "int main(void) { int n = __VERIFIER_nondet_uint() % 4 + 1; int a[n]; a[0] = 1; return a[n - 1]; }",
        bad,
    );
    check(
        "int main(void) { int s = 0, x; while (__VERIFIER_nondet_int()) { x = 1; s = x; } return s; }",
        "TRUE",
    );
    check(
        "int main(void) { int n = 0, x; while (__VERIFIER_nondet_int()) { if (n == 30) return x; n++; } return 0; }",
        "UNKNOWN",
    );
}

#[test]
fn the_goal_that_is_violated_is_named() {
    let mut goals = unreachable();
    goals.extend([Goal::ValidDivision, Goal::ValidDereference]);
    let source = "void reach_error(void); int main(void) { int x = __VERIFIER_nondet_int();";
    check(&goals, &format!("{source} if (x == 3) reach_error(); return 0; }}"), "FALSE(unreach-call)");
    check(&goals, &format!("{source} if (x == 3) x /= x - 3; return 0; }}"), "FALSE(valid-division)");
    check(&goals, &format!("{source} if (x > 3) x /= x - 3; return 0; }}"), "TRUE");
}

#[test]
fn blocks_that_functions_of_the_library_touch() {
    let goals = [Goal::ValidDereference];
    let head = "int memcmp(const void *, const void *, unsigned long); unsigned long strlen(const char *);
        int strcmp(const char *, const char *); int strncmp(const char *, const char *, unsigned long);
        char *strcpy(char *, const char *); int puts(const char *); int printf(const char *, ...);\n";
    let check = |body: &str, expected: &str| check(&goals, &format!("{head}{}", main_of(body)), expected);
    let wrong = "FALSE(valid-deref)";
    check("char a[4] = \"abc\", b[8] = \"abc\"; return memcmp(a, b, 8);", wrong);
    check("char a[4] = \"abc\", b[8] = \"abc\"; return memcmp(b, a, 4);", "TRUE");
    check("char *a = malloc(4); return memcmp(a, 0, 0);", "TRUE");
    check("unsigned n = __VERIFIER_nondet_uint(); char a[4] = \"\", b[4] = \"\"; memcmp(a, b, n);", wrong);
    // Nothing is done to an empty block, wherever it is.
    let nothing = "unsigned n = __VERIFIER_nondet_uint(); if (n != 1) return 0; char a[1];";
    check(
        &format!("{nothing} memset(0, 1, n - 1); memcpy(0, a, n - 1); return memcmp(a, 0, n - 1);"),
        "TRUE",
    );
    check(&format!("{nothing} if (strncmp(0, a, n - 1) == 0) a[n] = 1;"), wrong);
    check(&format!("{nothing} memset(\"a\", 1, n - 1); a[n] = 1;"), wrong);
    check("char *a = \"abc\"; memset(a, 0, 2);", wrong);
    check("char *a = \"abc\"; char b[8]; memcpy(b, a, 4); memcpy(a, b, 1);", wrong);
    check("char a[4]; memset(a, 'x', 4); return strlen(a);", wrong);
    check("char a[4]; memset(a, 'x', 4); a[__VERIFIER_nondet_uint() % 4] = 0; return strlen(a);", "TRUE");
    check("char *a = malloc(4); strcpy(a, \"abc\");", "TRUE");
    check("char *a = malloc(3); strcpy(a, \"abc\");", wrong);
    check("char a[8] = \"abc\", b[4]; a[__VERIFIER_nondet_uint() % 7] = 'x'; strcpy(b, a);", wrong);
    // What lies behind the first difference, or the limit, is not read.
    check("char a[3] = \"abc\", b[3] = \"abd\"; return strcmp(a, b);", "TRUE");
    check("char a[3] = \"abc\", b[3] = \"abc\"; return strcmp(a, b);", wrong);
    check("char a[3] = \"abc\", b[3] = \"abc\"; return strncmp(a, b, 3);", "TRUE");
    check("char a[3] = \"abc\", b[3] = \"abc\"; return strncmp(a, b, 4);", wrong);
    check("char a[2] = \"ab\"; puts(a);", wrong);
    check("char a[3] = \"ab\"; puts(a);", "TRUE");
    check("char a[2] = \"ab\"; printf(\"%s\", a);", wrong);
    check("char *a = malloc(2); free(a); printf(\"%s\", a);", wrong);
}

#[test]
fn blocks_that_grow_and_shrink() {
    let (goals, leaks) =
        ([Goal::ValidDereference, Goal::ValidFree, Goal::ValidMemoryTracking], "FALSE(valid-memtrack)");
    let check = |body: &str, expected: &str| check(&goals, &main_of(body), expected);
    let start = "unsigned n = __VERIFIER_nondet_uint(); if (n < 1 || n > 3) return 0;";
    check(&format!("{start} int *a = 0; a = realloc(a, n * 4); a[n - 1] = 1; free(a);"), "TRUE");
    check(
        &format!("{start} int *a = malloc(8); a = realloc(a, n * 4); a[n] = 1; free(a);"),
        "FALSE(valid-deref)",
    );
    check("int *a = malloc(8); int *b = realloc(a, 16); free(a); free(b);", "FALSE(valid-free)");
    check("int *a = malloc(8); a = realloc(a + 1, 16); free(a);", "FALSE(valid-free)");
    check("int *a = malloc(8); a = realloc(a, 16);", leaks);
    // A size of 0 frees.
    check("int *a = malloc(8); a = realloc(a, 0); if (a) free(a);", "TRUE");
    check("int *a = malloc(8); a = realloc(a, 0); if (!a) *(int *)0 = 1;", "FALSE(valid-deref)");
    check("int *a = realloc(0, 0); if (!a) *(int *)0 = 1;", leaks);
}

#[test]
fn contents_of_blocks_that_grow() {
    let head = "void reach_error(void);\n";
    let check =
        |body: &str, expected: &str| check(&unreachable(), &format!("{head}{}", main_of(body)), expected);
    let start = "unsigned n = __VERIFIER_nondet_uint(); if (n < 1 || n > 3) return 0;";
    check(
        "int *a = 0; for (int i = 0; i < 4; i++) { a = realloc(a, (i + 1) * 4); a[i] = 3 * i; }
         for (int i = 0; i < 4; i++) if (a[i] != 3 * i) reach_error();",
        "TRUE",
    );
    check(
        &format!("{start} int *a = malloc(4); *a = 7; a = realloc(a, 4 * n); if (*a != 7) reach_error();"),
        "TRUE",
    );
    check(
        &format!(
            "{start} int *a = malloc(4 * n); a[n - 1] = 7; a = realloc(a, 16); if (a[n - 1] != 7) reach_error();"
        ),
        "TRUE",
    );
    check(
        &format!(
            "{start} int *a = n > 1 ? malloc(4) : 0; if (a) *a = 7; a = realloc(a, 8); if (n > 1 && *a != 7) reach_error();"
        ),
        "TRUE",
    );
    // What is new in a block may be anything, also where the old one was cleared.
    check("int *a = calloc(1, 4); a = realloc(a, 8); if (a[0]) reach_error();", "TRUE");
    check("int *a = calloc(1, 4); a = realloc(a, 8); if (a[1]) reach_error();", "FALSE(unreach-call)");
    check(
        &format!(
            "{start} int *a = n > 1 ? calloc(1, 4) : calloc(2, 4); a = realloc(a, 8); if (n == 1 && a[1]) reach_error();"
        ),
        "TRUE",
    );
    check(
        &format!(
            "{start} int *a = n > 1 ? calloc(1, 4) : calloc(2, 4); a = realloc(a, 8); if (n == 2 && a[1]) reach_error();"
        ),
        "FALSE(unreach-call)",
    );
}
