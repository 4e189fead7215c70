//! Memory that the program has not written: pointers in it, what becomes of it, and how far it may be trusted.

mod support;

use base::Budget;
use engines::{Analyses, Outcome, Task};
use sema::types::DataModel;
use std::time::Duration;
use support::{ENGINES, load_with, unreachable};

const HEAD: &str = "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);
    unsigned long __VERIFIER_nondet_ulong(void); void reach_error(void); void *malloc(unsigned long);
    void *realloc(void *, unsigned long); void *memcpy(void *, const void *, unsigned long);
    int printf(const char *, ...); float __VERIFIER_nondet_float(void); double copysign(double, double);
    union U { float f; unsigned u; };\n";

/// What every engine may say; where it is not UNKNOWN, bounded model checking must say it.
fn check(source: &str, expected: &str) {
    let source = format!("{HEAD}{source}");
    let program = load_with(&source, DataModel::Lp64, cfa::Lives::default());
    let analyses = Analyses::new(&program);
    for (name, engine) in ENGINES {
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        let goals = &unreachable();
        let task = Task { program: &program, analyses: &analyses, goals, condition: None, budget: &budget };
        let outcome = engine(task, &engines::Options::default()).outcome;
        let verdict = match outcome {
            Outcome::True => "TRUE",
            Outcome::False { .. } => "FALSE",
            Outcome::Unknown { .. } => "UNKNOWN",
        };
        let is_open = verdict == "UNKNOWN" && (expected == "UNKNOWN" || name != "bmc");
        // An error that one engine cannot confirm another one may.
        let is_confirmed = verdict == "FALSE" && expected == "UNKNOWN";
        assert!(
            verdict == expected || is_open || is_confirmed,
            "{name}: {outcome:?}, expected {expected}\n{source}"
        );
    }
}

#[test]
fn pointers_in_unknown_arrays_may_be_valid() {
    check(
        "extern struct T { int *p; int n; } tab[100];
        int main(void) {
            unsigned i = __VERIFIER_nondet_uint();
            if (i < 100 && tab[i].p) { *tab[i].p = 1; reach_error(); }
        }",
        "FALSE",
    );
    check(
        "extern int *table[100];
        int main(void) {
            int i = __VERIFIER_nondet_int();
            if (i < 0 || i >= 100) return 0;
            int *p = table[i];
            if (p) { *p = 1; reach_error(); }
        }",
        "FALSE",
    );
}

#[test]
fn pointers_at_equal_indices_are_equal() {
    let aliases = |index: &str, condition: &str| {
        format!(
            "extern int *table[100];
            int main(void) {{
                unsigned i = __VERIFIER_nondet_uint(), j = {index};
                if (i >= 100 || j >= 100 || !table[i] || !table[j]) return 0;
                *table[i] = 1;
                *table[j] = 2;
                if ({condition}) reach_error();
            }}"
        )
    };
    check(&aliases("__VERIFIER_nondet_uint()", "*table[i] == 2"), "FALSE");
    check(&aliases("__VERIFIER_nondet_uint()", "i == j && *table[i] == 1"), "TRUE");
    check(&aliases("i + 1", "*table[i] == 2"), "TRUE");
    // What the program has written is not settled.
    let written = |condition: &str| {
        format!(
            "extern int *table[100]; int g;
            int main(void) {{
                unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
                if (i >= 100 || j >= 100) return 0;
                table[i] = &g;
                if (table[j]) *table[j] = 5;
                if ({condition}) reach_error();
            }}"
        )
    };
    check(&written("i != j && g == 5"), "TRUE");
    check(&written("g == 5"), "FALSE");
}

#[test]
fn pointers_in_pieces_of_unknown_memory_may_be_valid() {
    check(
        "extern struct __attribute__((packed)) { int x; int *p; } s;
        int main(void) { if (s.p) { *s.p = 1; reach_error(); } }",
        "UNKNOWN",
    );
    check(
        "extern struct { unsigned long p; } s;
        int main(void) { if (s.p) { *(int *)s.p = 1; reach_error(); } }",
        "UNKNOWN",
    );
}

#[test]
fn memory_that_was_never_seen_may_have_pointers_in_it() {
    check(
        "extern struct { unsigned long p; } s;
        int main(void) { if (s.p) { int *q = *(int **)s.p; if (q) { *q = 1; reach_error(); } } }",
        "UNKNOWN",
    );
}

/// Whatever its elements are taken for.
#[test]
fn memory_from_outside_is_accessed_between_its_elements() {
    let with = |body: &str| {
        format!(
            "struct s {{ char name[100]; int v; int w[200]; }}; struct s *get(void);
             int main(void) {{
               struct s *s = get(); unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
               if (s && i < 900 && j < 200) {{ {body} }}
             }}"
        )
    };
    check(&with("int v = s->v; s->w[j] = 5; ((char *)s)[i] = 7; if (s->v != v) reach_error();"), "FALSE");
    check(&with("s->w[j] = 5; s->v = 77; if (((char *)s)[i] == 77 && i == 100) reach_error();"), "FALSE");
}

/// At the head of a loop a pointer may be to any place in memory from outside, but what it points to is still in it.
#[test]
fn loops_over_memory_from_outside_are_proved() {
    let source = format!(
        "{HEAD} struct s {{ struct s *next; unsigned char c; int v; }}; struct s *get(void);
         int main(void) {{
           struct s *s = get(); int on = 0;
           while (__VERIFIER_nondet_int()) {{
             if (s) {{ s->c = 1; s->v = s->v + 1; s = s->next; }} else {{ s = get(); }}
             on = !on;
           }}
           if (on > 1) reach_error();
         }}"
    );
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let program = load_with(&source, model, cfa::Lives::default());
        let analyses = Analyses::new(&program);
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        let goals = &unreachable();
        let task = Task { program: &program, analyses: &analyses, goals, condition: None, budget: &budget };
        let outcome = engines::kinduction::run(task, &engines::Options::default()).outcome;
        assert!(matches!(outcome, Outcome::True), "{outcome:?}");
    }
}

#[test]
fn indices_from_outside_are_no_pointers() {
    check(
        "int *get(void);
        int main(void) {
            int *p = get();
            unsigned i = __VERIFIER_nondet_uint();
            if (i >= 100) return 0;
            int *q = p + i;
            *q = 3;
            if (!p) reach_error();
        }",
        "TRUE",
    );
}

#[test]
fn what_is_reallocated_keeps_its_pointers() {
    check(
        "int g;
        int main(void) {
            unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
            if (n < 1 || m < 1 || n > 100000 || m > 100000) return 0;
            int **p = malloc(n * sizeof(int *));
            p[0] = &g;
            p = realloc(p, m * sizeof(int *));
            *p[0] = 5;
            if (g == 5) reach_error();
        }",
        "UNKNOWN",
    );
    check(
        "int g; struct H { int *q; int n; }; struct H *get(void);
        int main(void) {
            struct H *p = get();
            if (!p) return 0;
            p->q = &g;
            p = realloc(p, 64);
            *p->q = 5;
            if (g == 5) reach_error();
        }",
        "UNKNOWN",
    );
}

#[test]
fn declarations_that_are_jumped_over_give_any_value() {
    check(
        "struct S { int a[2]; };
        int main(void) {
            int c = __VERIFIER_nondet_int();
            switch (c) { case 0: ; struct S s = {{1, 2}}; case 1: if (s.a[0] == 7) reach_error(); }
        }",
        "UNKNOWN",
    );
    check(
        "int main(void) {
            int c = __VERIFIER_nondet_int();
            int *p;
            if (c) goto in;
            { int x = 5; in: p = &x; if (c && *p == 7) reach_error(); }
        }",
        "UNKNOWN",
    );
    check(
        "struct S { int a[2]; };
        int main(void) {
            int c = __VERIFIER_nondet_int();
            switch (c) { case 0: ; struct S s = {{1, 2}}; case 1: if (c == 0 && s.a[0] == 7) reach_error(); }
        }",
        "TRUE",
    );
}

#[test]
fn copies_of_floats_keep_all_bits() {
    let program = |body: &str| {
        format!(
            "float same(float x) {{ return x; }}
            int main(void) {{ union U x, y; x.u = __VERIFIER_nondet_uint(); {body} }}"
        )
    };
    check(&program("y.f = x.f; if (y.u == 0x7fc00001) reach_error();"), "FALSE");
    check(&program("y.f = same(x.f); if (y.u == 0xffc00001) reach_error();"), "FALSE");
    check(&program("y.f = same(x.f); if (y.u != x.u) reach_error();"), "TRUE");
    check(
        &program(
            "int c = __VERIFIER_nondet_int(); y.f = c > 5 ? x.f : 1; if (y.u == 0xff800001) reach_error();",
        ),
        "FALSE",
    );
    check(
        &program(
            "int c = __VERIFIER_nondet_int(); y.f = c > 5 ? x.f : 1; if (c > 5 && y.u != x.u) reach_error();",
        ),
        "TRUE",
    );
    check(&program("if (x.u != 0x7f800001) return 0; y.f = x.f; if (y.u == x.u) reach_error();"), "FALSE");
    check(&program("x.u = 0xff800001; y.f = x.f; if (y.u == 0xff800001) reach_error();"), "FALSE");
    check(&program("y.f = -x.f; if ((y.u ^ x.u) != 0x80000000) reach_error();"), "TRUE");
    check(&program("if (x.u > 0xff800000 && __builtin_signbit(x.f)) reach_error();"), "FALSE");
    check(&program("if (x.f != x.f && copysign(1.0, x.f) < 0) reach_error();"), "FALSE");
    check(
        "int main(void) {
            unsigned long b = __VERIFIER_nondet_ulong(), c;
            double d, e;
            memcpy(&d, &b, 8);
            e = d;
            memcpy(&c, &e, 8);
            if (c == 0xfff8000000000001) reach_error();
        }",
        "FALSE",
    );
    check(
        "int main(void) {
            union U x;
            float a[100];
            unsigned i = __VERIFIER_nondet_uint();
            if (i >= 100) return 0;
            a[i] = __VERIFIER_nondet_float() + 1;
            x.f = a[i];
            if ((x.u & 0x7fffffff) > 0x7f800000 && a[i] == a[i]) reach_error();
        }",
        "TRUE",
    );
}

#[test]
fn what_is_not_a_number_may_have_any_sign() {
    check(
        "int main(void) { volatile float z = 0; float f = z / z; if (__builtin_signbit(f)) reach_error(); }",
        "FALSE",
    );
    check(
        "int main(void) {
            volatile float z = 0;
            union U x, y;
            x.f = z / z;
            y.f = -x.f;
            if (x.u != y.u) reach_error();
        }",
        "FALSE",
    );
    check(
        "int main(void) { union U x; x.f = __VERIFIER_nondet_float(); if (x.u == 0xff800001) reach_error(); }",
        "FALSE",
    );
}

#[test]
fn printing_may_write() {
    check("int main(void) { int x = 0; printf(\"abc%n\", &x); if (x == 3) reach_error(); }", "UNKNOWN");
    check(
        "void say(const char *format, int *x) { printf(format, x); }
        int main(void) { int x = 0; say(\"%d %% n %5hhn\", &x); if (x == 3) reach_error(); }",
        "UNKNOWN",
    );
    check(
        "void say(const char *format, int *x) { printf(format, x); }
        int main(void) { int x = 0; say(\"100%%n %p\\n\", &x); if (x == 3) reach_error(); }",
        "TRUE",
    );
}

#[test]
fn inputs_of_all_formats_are_replayed() {
    check(
        "long double __VERIFIER_nondet_long_double(void);
        int main(void) {
            long double x = __VERIFIER_nondet_long_double();
            if (x > 3.25L && x < 3.5L) reach_error();
        }",
        "FALSE",
    );
}
