//! Small programs and what the engines must say of them.

mod support;

use base::Budget;
use engines::{Analyses, Options, Outcome, Reason, Task};
use sema::types::DataModel;
use std::time::Duration;
use support::{load, load_with, unreachable};
use task::Goal;

const HEAD: &str = "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);
    void reach_error(void); void *malloc(unsigned long); void *__VERIFIER_nondet_pointer(void);
    void __VERIFIER_assume(int);\n";

fn verdict(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::True => "TRUE",
        Outcome::False { .. } => "FALSE",
        Outcome::Unknown { .. } => "UNKNOWN",
    }
}

/// Runs k-induction, up to a bound, on the body of a program.
fn check_goals(source: &str, goals: &[Goal], expected: &str) {
    check_for(DataModel::Lp64, source, goals, expected);
}

fn check_for(model: DataModel, source: &str, goals: &[Goal], expected: &str) {
    let source = format!("{HEAD}{source}");
    let program = load_with(&source, model, cfa::Lives::default());
    let analyses = Analyses::new(&program);
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let options = Options { max_unwind: Some(12), ..Options::default() };
    let task = Task { program: &program, analyses: &analyses, goals, condition: None, budget: &budget };
    let findings = engines::kinduction::run(task, &options);
    assert_eq!(verdict(&findings.outcome), expected, "{findings:?}\n{source}");
    let unlimited = Budget::unlimited();
    if expected == "TRUE" {
        let checked = engines::proof::check(Task { budget: &unlimited, ..task }, &options, &findings);
        assert!(checked.is_ok(), "{checked:?}\n{source}");
    }
    let findings = engines::bmc::run(task, &options);
    if matches!(findings.outcome, Outcome::True) {
        let checked = engines::proof::check(Task { budget: &unlimited, ..task }, &options, &findings);
        assert!(checked.is_ok(), "bmc: {checked:?}\n{source}");
    }
    let bounded = findings.outcome;
    let consistent = matches!((verdict(&bounded), expected), ("UNKNOWN", _)) || verdict(&bounded) == expected;
    assert!(consistent, "bmc says {bounded:?}\n{source}");
}

fn check(source: &str, expected: &str) {
    check_goals(source, &unreachable(), expected);
}

#[test]
fn straight_code() {
    check("int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 3) reach_error(); }", "TRUE");
    check(
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x * x == 49 && x < 0) reach_error(); }",
        "FALSE",
    );
    check(
        "int main(void) { unsigned char x = __VERIFIER_nondet_uchar(); if (x + 1 == 256) reach_error(); }",
        "FALSE",
    );
    check("int main(void) { float f = 0.1f; if (f == 0.1) reach_error(); }", "TRUE");
}

#[test]
fn loops_that_end_are_unwound() {
    check(
        "int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += i; if (s != 36) reach_error(); }",
        "TRUE",
    );
    check(
        "int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += i; if (s == 36) reach_error(); }",
        "FALSE",
    );
}

#[test]
fn induction_proves_endless_loops() {
    check(
        "int main(void) { int x = 0; while (1) { x = 1 - x; if (x > 1 || x < 0) reach_error(); } }",
        "TRUE",
    );
    check(
        "int main(void) { int a = 1, b = 1; while (__VERIFIER_nondet_int()) { if (a != b) reach_error(); a += 2; b += 2; } }",
        "TRUE",
    );
    check(
        "int main(void) { unsigned x = 0; do { x += 2; if (x % 2) reach_error(); } while (__VERIFIER_nondet_int()); }",
        "TRUE",
    );
    // Two loops in a row, and one inside the other.
    check(
        "void even(unsigned x) { if (x % 2) reach_error(); }
            int main(void) { unsigned x = 0; while (__VERIFIER_nondet_int()) { even(x); x += 4; }
            while (__VERIFIER_nondet_int()) { even(x); x += 2; while (__VERIFIER_nondet_int()) { even(x); x += 6; } } }",
        "TRUE",
    );
    // What only an invariant of another kind would show stays open.
    check(
        "int main(void) { unsigned i = 0, n = 0; while (i < 1000000) { if (i % 2 == 0) n++; i++; }
            if (n != 500000) reach_error(); }",
        "UNKNOWN",
    );
}

#[test]
fn induction_does_not_prove_what_is_wrong() {
    // Wrong only in a late iteration, or only behind the loop, or only by wrapping around.
    check("int main(void) { int x = 0; while (1) { x++; if (x == 7) reach_error(); } }", "FALSE");
    check(
        "int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x++; if (x == 5) reach_error(); }",
        "FALSE",
    );
    check("int main(void) { unsigned char x = 250; while (1) { x++; if (x == 0) reach_error(); } }", "FALSE");
    check(
        "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { while (__VERIFIER_nondet_int()) y++;
            x++; } if (x == 2 && y == 3) reach_error(); }",
        "FALSE",
    );
    // The loop changes memory through a pointer.
    check(
        "int main(void) { int x = 0; int *p = &x; while (__VERIFIER_nondet_int()) ++*p; if (x == 4) reach_error(); }",
        "FALSE",
    );
    // The loop changes a global in a function that it calls.
    check(
        "int g; void step(void) { g++; } int main(void) { while (__VERIFIER_nondet_int()) step(); if (g == 4) reach_error(); }",
        "FALSE",
    );
    // A pointer in a record that the loop changes: it is the program's, not the environment's.
    check(
        "struct { int *p; int n; } s; int x;
        int main(void) { s.p = &x; while (__VERIFIER_nondet_int()) {
            if (s.n < 9) s.n++; if (s.n == 6 && s.p == &x) reach_error(); } }",
        "FALSE",
    );
}

#[test]
fn what_loops_without_choices_do_is_not_excluded_on_longer_ways() {
    // The last loop is straight code behind the first iterations of the others, but not behind many.
    check(
        "void *calloc(unsigned long, unsigned long); unsigned sum; int z; int main(void) {
            unsigned char i = __VERIFIER_nondet_uchar(), j = __VERIFIER_nondet_uchar(); if (i > 3 || j > 3) return 0;
            for (int k = 0; k < 3000; k++) z += k;
            int *a = calloc(8 + i, sizeof *a); for (int k = 0; k < 2; k++) a[k] = k;
            int *b = malloc(5 * (j + 1) * sizeof *b); for (int k = 0; k < 1; k++) b[k] = k;
            int *c = malloc(20 * sizeof *c);
            for (int k = 0; k < 5; k++) sum += b[k];
            for (int k = 0; k < 6; k++) sum += c[k];
            if (sum != 5) reach_error(); }",
        "FALSE",
    );
}

#[test]
fn induction_finds_affine_relations() {
    let safe = [
        // Odd for ever, however often it wraps.
        "unsigned x = 7; while (__VERIFIER_nondet_int()) x += 6; if (x % 2 == 0) reach_error();",
        "int n = __VERIFIER_nondet_int(), x = n, y = 0; while (x > 0) { x--; y++; } if (n > 0 && y != n) reach_error();",
        "int n = __VERIFIER_nondet_int(), i = 0, a = 0, b = 0; if (n < 0 || n > 1000000) return 0; \
         while (i < n) { if (__VERIFIER_nondet_int()) { a++; b += 2; } else { a += 2; b++; } i++; } \
         if (a + b != 3 * n) reach_error();",
        // A short is promoted, and computed with as an int.
        "short s = 0; int i = 5; while (__VERIFIER_nondet_int()) { if (s < 100) { s += 2; i += 6; } } \
         if (i != 3 * s + 5) reach_error();",
    ];
    for body in safe {
        check(&format!("int main(void) {{ {body} return 0; }}"), "TRUE");
    }
    let not_safe = [
        // A multiple of 3 until it wraps.
        "unsigned x = 0; while (__VERIFIER_nondet_int()) x += 3; if (x == 1) reach_error();",
        // So is this, of 256.
        "unsigned char c = 0; int i = 0; while (__VERIFIER_nondet_int()) { c++; i++; } if (c != i) reach_error();",
        "unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x += 2; if (x > 50) y++; } \
         if (y) reach_error();",
    ];
    for body in not_safe {
        check(&format!("int main(void) {{ {body} return 0; }}"), "UNKNOWN");
    }
}

#[test]
fn induction_counts_what_a_difference_is_compared_with() {
    // Anything at first, so that only what the program asks for is told apart: 0, 1, 2.
    check(
        "int main(void) { unsigned char token = __VERIFIER_nondet_uchar(), local = 0; int pc = 0;
            while (1) { if (__VERIFIER_nondet_int()) continue;
                if (pc == 0) { local = token; pc = 1; } else if (pc == 1) { token++; pc = 2; } else if (pc == 2) { token++; pc = 3; }
                else { if (token != (unsigned char)(local + 2)) reach_error(); pc = 0; local = __VERIFIER_nondet_uchar(); } } }",
        "TRUE",
    );
}

#[test]
fn induction_over_loops_in_a_row() {
    // What the first loop has shown makes iterations of the second one certain in some paths only.
    check(
        "int main(void) { int x = 0, n = __VERIFIER_nondet_uchar() % 4; for (int k = 0; k < n; k++) ;
            for (int m = 0; m < n; m++) x = n; if (x == 3) reach_error(); }",
        "FALSE",
    );
    check(
        "int main(void) { int x = 0, n = __VERIFIER_nondet_uchar() % 4; for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) ;
            for (int m = 0; m < n; m++) x = n; if (x == 3) reach_error(); }",
        "FALSE",
    );
}

#[test]
fn induction_forgets_what_pointers_point_to() {
    let head = "int x, y; struct s { int *p; } s;\n";
    let late = |set: &str, test: &str, start: &str| {
        format!(
            "{head} int main(void) {{ int n = 0; {start}
                while (__VERIFIER_nondet_int()) {{ if ({test}) reach_error(); if (n == 30) {set}; n++; }} }}"
        )
    };
    // Wrong only after more iterations than are unwound here.
    check(&late("s.p = &x", "s.p == &x", "s.p = 0;"), "UNKNOWN");
    check(&late("*pp = &x", "p == &x", "int *p = &y; int **pp = &p;"), "UNKNOWN");
    check(&late("s.p = &y", "s.p == &x", "s.p = 0;"), "TRUE");
}

#[test]
fn induction_over_loops_that_allocate() {
    let list = "struct n { struct n *next; int v; };\n";
    // The list is longer than what is unwound, and its last element is wrong.
    check(
        &format!(
            "{list} int main(void) {{ struct n *h = 0; int n = 0;
                while (__VERIFIER_nondet_int()) {{ struct n *m = malloc(sizeof *m); m->v = n == 20; m->next = h; h = m; n++; }}
                while (h) {{ if (h->v) reach_error(); h = h->next; }} }}"
        ),
        "UNKNOWN",
    );
    check(
        &format!(
            "{list} int main(void) {{ struct n *h = 0; int n = 0, s = 0;
                while (__VERIFIER_nondet_int()) {{ struct n *m = malloc(sizeof *m); m->next = h; h = m;
                    s = 1 - s; if (s < 0 || s > 1) reach_error(); }} }}"
        ),
        "TRUE",
    );
    check(
        &format!(
            "{list} int main(void) {{ struct n *h = 0; int y = 1;
                while (__VERIFIER_nondet_int()) {{ struct n *m = malloc(sizeof *m); m->next = h; h = m; }}
                for (; h; h = h->next) {{ h->v = 2; if (y != 1) reach_error(); }} }}"
        ),
        "TRUE",
    );
}

#[test]
fn recursion() {
    let sum = "int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }\n";
    check(&format!("{sum} int main(void) {{ if (sum(6) != 21) reach_error(); }}"), "TRUE");
    check(
        &format!("{sum} int main(void) {{ if (sum(__VERIFIER_nondet_int()) == 15) reach_error(); }}"),
        "FALSE",
    );
    // The recursion has no bound: nothing may be claimed.
    check(
        &format!("{sum} int main(void) {{ if (sum(__VERIFIER_nondet_int()) < 0) reach_error(); }}"),
        "UNKNOWN",
    );
}

#[test]
fn memory() {
    check(
        "int main(void) { int a[5]; for (int i = 0; i < 5; i++) a[i] = i; int k = __VERIFIER_nondet_int();
            if (k >= 0 && k < 5 && a[k] != k) reach_error(); }",
        "TRUE",
    );
    check(
        "union u { int i; unsigned char b[4]; }; int main(void) { union u u; u.i = 0x01020304; u.b[3] = 5;
            if (u.i != 0x05020304) reach_error(); }",
        "TRUE",
    );
    check(
        "struct n { struct n *next; int v; }; int main(void) { struct n *h = 0;
            for (int i = 0; i < 4; i++) { struct n *m = malloc(sizeof *m); m->v = i; m->next = h; h = m; }
            int s = 0; for (; h; h = h->next) s = 10 * s + h->v; if (s != 3210) reach_error(); }",
        "TRUE",
    );
    check(
        "int f(int x) { return x + 1; } int g(int x) { return x - 1; }
            int main(void) { int (*h)(int) = __VERIFIER_nondet_int() ? f : g; if (h(5) == 4) reach_error(); }",
        "FALSE",
    );
}

/// Also where addresses are so short that the highest digits of an index count.
#[test]
fn indices_below_where_a_pointer_points_to() {
    let program = |error: &str| {
        format!(
            "int a[1000];
            int main(void) {{ int c = __VERIFIER_nondet_int(); int d = c > 0 ? -1 : -3; int *p = a + 10; p[d] = 7;
                int k = c > 0 ? 9 : 7; if ({error}) reach_error(); }}"
        )
    };
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        check_for(model, &program("a[k] == 7"), &unreachable(), "FALSE");
        check_for(model, &program("a[k] != 7"), &unreachable(), "TRUE");
    }
}

#[test]
fn pointers_walk_over_large_arrays() {
    let program = |error: &str| {
        format!(
            "int a[2000]; int main(void) {{ int *q = a; for (int n = 1; n < 11; n++)
                if (__VERIFIER_nondet_int()) *q++ = n;
            if ({error}) reach_error(); }}"
        )
    };
    check(&program("a[4] == 7"), "FALSE");
    check(&program("a[4] && a[4] < 5"), "TRUE");
}

#[test]
fn large_arrays_are_seen_through_pointers_of_other_types() {
    check(
        "struct s { int head[64]; long long tail[100]; } v;
            int main(void) { v.tail[2] = 5; int *p = (int *)&v; unsigned k = __VERIFIER_nondet_uchar();
            if (k > 67 && k < 69 && p[k] == 5) reach_error(); }",
        "FALSE",
    );
    // Bytes of an array of unknown length can be anything: an error may be found, but not excluded.
    let bytes = "int main(void) { unsigned n = __VERIFIER_nondet_uchar(); unsigned k = __VERIFIER_nondet_uchar();
            if (n < 200 || k < 8 || k > 99) return 0; int *a = malloc(4 * n); unsigned char *b = (unsigned char *)a;
            a[k] = 0x01020304; if (b[4 * k + 1] != 3) return 0; reach_error(); }";
    check(bytes, "FALSE");
    check(&bytes.replace("!= 3", "== 3"), "UNKNOWN");
}

/// Unwinds a program to its end.
fn unwound(source: &str, expected: &str) {
    let source = format!("{HEAD}{source}");
    let program = load(&source);
    let (analyses, options) = (Analyses::new(&program), Options::default());
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let goals = &unreachable()[..];
    let task = Task { program: &program, analyses: &analyses, goals, condition: None, budget: &budget };
    let findings = engines::bmc::run(task, &options);
    assert_eq!(verdict(&findings.outcome), expected, "{findings:?}\n{source}");
}

/// More elements than a read passes one by one, or than fit into one question about all of them.
#[test]
fn long_loops_over_large_arrays_are_unwound() {
    let fill = "int a[20000], b[20000]; long sum, other;
        int main(void) { for (int i = 0; i < 20000; i++) { a[i] = __VERIFIER_nondet_int(); b[i] = a[i]; }";
    let rest = |text: &str| format!("{fill} {text} }}");
    unwound(&rest("for (int i = 0; i < 20000; i++) if (a[i] != b[i]) reach_error();"), "TRUE");
    unwound(
        &rest("b[15000] = a[0]; for (int i = 0; i < 20000; i++) if (a[i] != b[i]) reach_error();"),
        "FALSE",
    );
    unwound(
        &rest(
            "for (int i = 0; i < 20000; i++) { sum += a[i]; other += b[19999 - i]; }
             if (sum != other) reach_error();",
        ),
        "TRUE",
    );
    unwound(
        &rest(
            "for (int i = 0; i < 20000; i++) { sum += a[i]; other += b[19999 - i]; }
             if (sum != other - 1 + (b[7] == a[7])) reach_error();",
        ),
        "TRUE",
    );
    unwound(
        &rest(
            "for (int i = 1; i < 20000; i++) { sum += a[i]; other += b[19999 - i]; }
             if (sum != other) reach_error();",
        ),
        "FALSE",
    );
}

#[test]
fn arguments_of_the_program_are_compared() {
    let program = |rest: &str| {
        format!(
            "int strcmp(const char *, const char *); int strncmp(const char *, const char *, unsigned long);
             int main(int argc, char **argv) {{ int on = argc == 2 && strcmp(argv[1], \"on\") == 0; {rest} }}"
        )
    };
    check(&program("if (on) reach_error();"), "FALSE");
    check(&program("if (on && argc != 2) reach_error();"), "TRUE");
    check(&program("if (on && argv[1][1] != 'n') reach_error();"), "TRUE");
    check(&program("if (on && argv[1][0] == 'o' && strncmp(argv[1], \"of\", 2) < 0) reach_error();"), "TRUE");
}

#[test]
fn of_some_results_only_the_sign_is_known() {
    let program = |condition: &str| {
        format!(
            "int strcmp(const char *, const char *); int memcmp(const void *, const void *, unsigned long);
             int isdigit(int); int main(void) {{ char a[2] = \"a\", b[2] = \"d\"; b[0] += __VERIFIER_nondet_uchar() & 1;
             if ({condition}) reach_error(); }}"
        )
    };
    for possible in
        ["strcmp(a, b) == -1", "memcmp(a, b, 2) == -3", "memcmp(b, a, 1) == 2147483647", "isdigit('5') < -9"]
    {
        check(&program(possible), "FALSE");
    }
    for impossible in
        ["strcmp(a, b) >= 0", "memcmp(b, a, 2) <= 0", "strcmp(a, a)", "isdigit('a')", "!isdigit('5')"]
    {
        check(&program(impossible), "TRUE");
    }
}

#[test]
fn the_error_number_is_there() {
    let program = |condition: &str| {
        format!(
            "int *__errno_location(void); int main(void) {{ int n = __VERIFIER_nondet_int();
             int *p = __errno_location(); *p = n; int m = __VERIFIER_nondet_int();
             if ({condition}) reach_error(); }}"
        )
    };
    check(&program("n == 5 && m == 7"), "FALSE");
    check(&program("p == 0 || *p != n"), "TRUE");
}

#[test]
fn memory_just_before_an_object_is_not_there() {
    let program = |access: &str| {
        format!(
            "struct s {{ int x, y; }}; void *memset(void *, int, unsigned long);
             void *memcpy(void *, const void *, unsigned long);
             int main(void) {{ int a[2] = {{1, 2}}, b[2]; struct s c[2], d; int n = __VERIFIER_nondet_int();
             if (n == 7) {{ {access}; reach_error(); }} }}"
        )
    };
    for access in [
        "n = a[-1]",
        "a[-1] = n",
        "c[-1] = (struct s){0}",
        "d = c[-1]",
        "memset(a - 1, 0, 4)",
        "memcpy(b, a - 1, 4)",
    ] {
        check(&program(access), "TRUE");
    }
    check(&program("n = a[1]"), "FALSE");
}

#[test]
fn memory_from_outside_is_replayed() {
    check(
        "struct s { int a; struct s *next; }; int main(void) { struct s *p = __VERIFIER_nondet_pointer();
            if (p && p->next && p->next->a == 77 && p->a == 3) reach_error(); }",
        "FALSE",
    );
    check("int main(void) { int x; if (x == 12345) reach_error(); }", "FALSE");
    check(
        "int main(void) { int y = 1; int *p = __VERIFIER_nondet_pointer(); if (p) *p = 2; if (y != 1) reach_error(); }",
        "TRUE",
    );
}

#[test]
fn arrays_and_records_from_outside_are_replayed() {
    check(
        "extern unsigned k[4]; extern int after; extern struct { char c; int *p; double d; } s;
            int main(void) { int i = __VERIFIER_nondet_int();
            if (k[0] == 7 && k[3] == 9 && after == 5 && s.c == 2 && s.p && *s.p == 77 && s.d == 0.5 && i == 3)
                reach_error(); }",
        "FALSE",
    );
    check(
        "extern int big[100000]; int main(void) { int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
            if (i >= 0 && i < j && j < 100000 && big[i] == 7 && big[j] == 9 && big[99999] == 5) reach_error(); }",
        "FALSE",
    );
    check(
        "struct file; extern struct file *stdin, *stdout, *stderr; extern int after;
            int main(void) { if (stdin && stderr && stdin != stdout && after == 5) reach_error(); }",
        "FALSE",
    );
    let records = "struct r { int a; short b[3]; }; struct r get(int); struct { int z; struct r r; } h;
        int main(void) { h.r = get(1); struct r q = get(2);";
    check(
        &format!("{records} if (h.r.a == 4 && h.r.b[2] == 6 && q.a == -1 && q.b[0] == 8) reach_error(); }}"),
        "FALSE",
    );
    check(&format!("{records} if (h.z) reach_error(); }}"), "TRUE");
}

#[test]
fn memory_that_one_branch_touches_first() {
    check(
        "struct s { int x; }; int main(void) { struct s *p = __VERIFIER_nondet_pointer(); if (!p) return 0;
            if (__VERIFIER_nondet_int()) p->x = 1; if (p->x != 1) reach_error(); }",
        "FALSE",
    );
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 2 || n > 5) return 0; int a[n];
            if (__VERIFIER_nondet_int()) a[0] = 1; if (a[0] != 1) reach_error(); }",
        "FALSE",
    );
}

#[test]
fn overflow() {
    let goals = [Goal::NoOverflow];
    check_goals("int main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }", &goals, "FALSE");
    check_goals(
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 100) x++; return x; }",
        &goals,
        "TRUE",
    );
    check_goals("int main(void) { unsigned x = -1; x++; return x; }", &goals, "TRUE");
    check_goals("int main(void) { int x = __VERIFIER_nondet_int(); return -x; }", &goals, "FALSE");
    check_goals(
        "int main(void) { long x = __VERIFIER_nondet_int(); x = x * x; return x == 3; }",
        &goals,
        "TRUE",
    );
}

#[test]
fn what_is_not_modelled_withholds_a_proof_only_if_it_is_reached() {
    check("int main(void) { int x = 1; if (x == 2) __asm__(\"int $3\"); }", "TRUE");
    check("int main(void) { int x = __VERIFIER_nondet_int(); if (x == 2) __asm__(\"int $3\"); }", "UNKNOWN");
}

#[test]
fn memory_that_is_not_encoded_exactly_is_forgotten() {
    let block = |between: &str, error: &str| {
        format!(
            "void *memcpy(void *, const void *, unsigned long); char to[2000], from[2000]; int n; int main(void) {{
                int length = __VERIFIER_nondet_int(); __VERIFIER_assume(length >= 0 && length <= 2000);
                from[5] = 7; {between} memcpy(to, from, length); if ({error}) reach_error(); }}"
        )
    };
    check(&block("n = 3;", "n != 3"), "TRUE");
    // Behind what was forgotten, an error may be real; or beside it.
    check(&block("", "length == 6 && to[5] == 7"), "FALSE");
    check(&block("if (length % 2 == 0) to[length] = 7; else", "to[100] == 7"), "FALSE");
    check(&block("", "to[0] == 7"), "UNKNOWN");
    check(&block("if (length < 9) return 0;", "to[5] != 7"), "UNKNOWN");
    let endless = "void *memset(void *, int, unsigned long); char a[2000]; unsigned n; int main(void) {
        for (;;) { unsigned length = __VERIFIER_nondet_int(); if (length > 2000) continue;
            memset(a, 1, length); if (n > 7) reach_error(); n = (n + 1) & 7; } }";
    check(endless, "TRUE");
    let unaligned = "char a[9000]; int n = 1; int main(void) {
        int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i >= 0 && i < 8000);
        *(int *)(a + i) = 5; int x = *(int *)(a + i / 2); if (n != 1) reach_error(); }";
    check(unaligned, "TRUE");
    check(&unaligned.replace("n != 1", "i == 40 && a[42] == 0 && x == 0 && a[40] == 5"), "FALSE");
    // What is read may be a pointer, to what was written before.
    check(
        "char a[9000]; int n = 1, m; int main(void) {
            int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i > 0 && i < 4000);
            int *p = &m; *(int **)(a + i) = &n; p = *(int **)(a + i); *p = 2; if (n != 1) reach_error(); }",
        "FALSE",
    );
}

#[test]
fn objects_of_computed_size_are_apart() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let check = |body: &str, expected: &str| {
            let source = format!(
                "void *calloc(unsigned long, unsigned long); int main(void) {{
                    int n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int();
                    if (n < 5000000 || n > 6000000 || i < 0 || i >= n) return 0; {body} }}"
            );
            check_for(model, &source, &unreachable(), expected);
        };
        let two = "char *a = calloc(n, 1), *b = calloc(n, 1);";
        check(&format!("{two} b[0] = 0; a[8256] = 1; if (b[0] == 0) reach_error();"), "FALSE");
        check(&format!("{two} b[0] = 0; a[i] = 1; if (b[0] != 0) reach_error();"), "TRUE");
        check(
            &format!(
                "{two} char *p = n & 1 ? a : b; p += i & 7; *p = 1; if (!(n & 1) && a[i]) reach_error();"
            ),
            "TRUE",
        );
        check(&format!("{two} b[0] = 0; a[i] = 1; if (i > 4500000 && b[0] == 0) reach_error();"), "FALSE");
        let local = "int a[n]; int b[n]; b[3] = 1; a[i] = 2;";
        check(&format!("{local} if (b[3] != 1 || a[i] != 2) reach_error();"), "TRUE");
        // A pointer that is kept, and where there are no addresses any more if they are short.
        let far = if model == DataModel::Lp64 { "TRUE" } else { "UNKNOWN" };
        check(&format!("{local} int *p = &a[i]; if (b[3] != 1 || *p != 2) reach_error();"), far);
    }
}

#[test]
fn memory_from_outside_has_no_end() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let check = |body: &str, expected: &str| {
            let source = format!(
                "unsigned long __VERIFIER_nondet_ulong(void); int *get(void); extern int table[];
                int main(void) {{ unsigned long i = __VERIFIER_nondet_ulong(); int *p = get(); if (p) {{ {body} }} }}"
            );
            check_for(model, &source, &unreachable(), expected);
        };
        check("p[5000] = 1; reach_error();", "FALSE");
        check("if (i == 0) { p[i] = 1; return 0; } p[i] = 1; if (i == 1 && *p == 2) reach_error();", "FALSE");
        // Nobody has so much memory, but nothing says so.
        check("p[i] = 1; if (i > 100000000 && i < 200000000) reach_error();", "UNKNOWN");
        check("int *q = p + i; *q = 1; if (i > 100000000 && i < 200000000) reach_error();", "UNKNOWN");
        check("p[i] = 1; p[0] = 2; if (p[0] != 2) reach_error();", "UNKNOWN");
        check("table[i] = 1; if (i > 100000000 && i < 200000000) reach_error();", "UNKNOWN");
        check("table[5000] = 1; if (table[5000] != 1) reach_error();", "TRUE");
    }
}

#[test]
fn more_elements_than_numbers() {
    let huge = "unsigned long __VERIFIER_nondet_ulong(void); void *calloc(unsigned long, unsigned long);
        int main(void) { unsigned long n = __VERIFIER_nondet_ulong(), i = __VERIFIER_nondet_ulong();
            if (n < 1ul << 33 || n > 1ul << 34 || i >= n) return 0;
            char *a = calloc(n, 1); a[0] = 1; a[i] = 2; if (i == 1ul << 32 && a[0] == 1) reach_error(); }";
    check(huge, "UNKNOWN");
    check(
        &huge.replace("i >= n", "i >= 1ul << 31").replace("i == 1ul << 32 && a[0] == 1", "i && a[0] != 1"),
        "TRUE",
    );
    check(
        "unsigned long __VERIFIER_nondet_ulong(void); extern char table[]; int main(void) {
            unsigned long i = __VERIFIER_nondet_ulong(); if (i > 1ul << 33) return 0;
            table[0] = 1; table[i] = 2; if (i == 1ul << 32 && table[0] == 1) reach_error(); }",
        "UNKNOWN",
    );
}

#[test]
fn addresses_outside_of_arrays_are_not_those_of_variables_in_registers() {
    for distance in 0..64 {
        let source = format!(
            "int x, y, z; int main(void) {{ int a[4], b = 0, c = 1, d = 2, *p = a; x = b; y = c; z = d;
                p[{distance}] = 1; if (x + y + z + b + c + d != 6) reach_error(); }}"
        );
        check_for(DataModel::Ilp32, &source, &unreachable(), "TRUE");
        let expected = if distance < 4 { "TRUE" } else { "FALSE" };
        check_for(DataModel::Ilp32, &source, &[Goal::ValidDereference], expected);
    }
}

#[test]
fn runs_that_need_little_memory_are_found() {
    let source = "int main(void) { unsigned long n = (unsigned)__VERIFIER_nondet_int();
        unsigned long m = (unsigned)__VERIFIER_nondet_int();
        char *a = malloc(n * m); if (n > 5 && m > 3) reach_error(); }";
    check(source, "FALSE");
    // Memory from outside, of which nobody knows how large it is.
    let mut text = "int *get(void); int main(void) { int sum = 0;".to_string();
    for number in 0..40 {
        text.push_str(&format!("int *p{number} = get(); if (!p{number}) return 0; sum += *p{number};"));
    }
    check(&format!("{text} if (sum == 780) reach_error(); }}"), "FALSE");
}

#[test]
fn allocation_does_not_fail() {
    let goals = [Goal::ValidDereference];
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let check = |body: &str, expected: &str| {
            let source = format!(
                "void *calloc(unsigned long, unsigned long); int main(void) {{
                    unsigned long n = (unsigned long)__VERIFIER_nondet_int(); {body} }}"
            );
            check_for(model, &source, &goals, expected);
        };
        check("char *a = malloc(n); if (n > 1) a[1] = 3;", "TRUE");
        // As many bytes as there are numbers, not as many as are left when they are counted in numbers.
        check("int *a = calloc(n, sizeof *a); if (n > 1) a[1] = 3;", "TRUE");
        check("int *a = malloc((unsigned)n * 4u); if (n > 1) a[1] = 3;", "FALSE");
        check("int *a = calloc(n, sizeof *a); if (n > 1) a[2] = 3;", "FALSE");
    }
}

#[test]
fn what_library_functions_do_is_not_guessed() {
    check("int setjmp(int *); int main(void) { int b[8]; if (setjmp(b)) reach_error(); }", "UNKNOWN");
}

#[test]
fn assumptions_restrict_runs() {
    check(
        "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 5); if (x < 3) reach_error(); }",
        "TRUE",
    );
}

#[test]
fn rounding_modes() {
    let head = "int fesetround(int); int fegetround(void); double rint(double); double sqrt(double);\n";
    let body = |body: &str| format!("{head} int main(void) {{ {body} }}");
    check(&body("if (fegetround() != 0 || fesetround(0x123) == 0) reach_error();"), "TRUE");
    check(
        &body(
            "double one = 1, three = 3; fesetround(0x400); double low = one / three; fesetround(0x800);
                double high = one / three; if (!(low < high) || fegetround() != 0x800) reach_error();",
        ),
        "TRUE",
    );
    check(
        &body(
            "int c = __VERIFIER_nondet_int(); if (c) fesetround(0x800); double d = 0.25; d = rint(d);
                if (d != (c ? 1 : 0)) reach_error();",
        ),
        "TRUE",
    );
    check(
        &body(
            "int c = __VERIFIER_nondet_int(); if (c) fesetround(0); double d = 0.75; if (rint(d) == 1 && c == 7) reach_error();",
        ),
        "FALSE",
    );
    check(
        &body(
            "double one = 1, three = 3; fesetround(0x400); double low = one / three, root = sqrt(three);
                fesetround(0x800); if (low < one / three && (float)low > 0x1.555554p-2f && root < sqrt(three)) reach_error();",
        ),
        "FALSE",
    );
    check(
        &body(
            "while (__VERIFIER_nondet_int()) { double d = 0.5; if (rint(d) != 0) reach_error(); fesetround(0x800); }",
        ),
        "FALSE",
    );
}

#[test]
fn math_functions() {
    let head = "float fmodf(float, float); float remainderf(float, float); double nan(const char *);
        long lround(double); long lrint(double); double modf(double, double *);\n";
    let body =
        |body: &str| format!("{head} int main(void) {{ int i = __VERIFIER_nondet_uchar() % 8; {body} }}");
    check(&body("float r = fmodf(i, 3); if (r != i % 3) reach_error();"), "TRUE");
    check(&body("float r = remainderf(i, 4); if (r > 2 || r < -2) reach_error();"), "TRUE");
    check(&body("float r = remainderf(i, 4); if (r == -1) reach_error();"), "FALSE");
    check(&body("double d = nan(\"\"); if (d == d) reach_error();"), "TRUE");
    check(&body("if (lround(i + 0.5) != i + 1 || lround(-i - 0.5) != -i - 1) reach_error();"), "TRUE");
    check(&body("if (lrint(i + 0.5) != i + i % 2) reach_error();"), "TRUE");
    check(&body("double w, r = modf(i + 0.25, &w); if (w != i || r != 0.25) reach_error();"), "TRUE");
    check(&body("double w, r = modf(-i - 0.25, &w); if (w == -5 && r == -0.25) reach_error();"), "FALSE");
}

/// The second loop is entered with a counter that one path knows and all of them together do not.
#[test]
fn proofs_by_unwinding_hold_for_all_paths_together() {
    check(
        "int main(void) { unsigned a = __VERIFIER_nondet_int(), n = 4, i = 0;
            if (a == 0) n = 1; else if (a == 1) n = 2; else if (a == 2) n = 3;
            int carry = 0;
            while (i < n || carry) { unsigned sum = carry; carry = 0;
                if (i < n) sum += a >> i & 3; if (sum > 2) carry = 1; i++; }
            while (i < 4) i++;
            if (i > 5) reach_error(); }",
        "TRUE",
    );
}

/// Behind the loop, memory that is zero and memory that may be anything meet, unless one is there earlier.
#[test]
fn proofs_by_induction_hold_for_all_paths_together() {
    check(
        "void *memset(void *, int, unsigned long); int n = 2; struct { int x; } s;
         int main(void) { while (__VERIFIER_nondet_int()) { memset(&s, 0, sizeof s); n += 2; }
            if (n == 1 && s.x < 0) reach_error(); }",
        "TRUE",
    );
}

#[test]
fn what_large_objects_hold_at_first_is_replayed() {
    check("int main(void) { unsigned a[5000]; unsigned i = 7; if (a[i] != i) reach_error(); }", "FALSE");
    check(
        "int main(void) { unsigned a[5000]; int i = __VERIFIER_nondet_int();
         if (i >= 4000 && i < 5000 && a[i] == 77) reach_error(); }",
        "FALSE",
    );
    check(
        "struct s { char before[10000]; int field; };
         int main(void) { struct s x; if (x.field == 12345) reach_error(); }",
        "FALSE",
    );
    check(
        "int main(void) { int *p = malloc(40000); if (p && p[9000] == 5 && p[3] == 6) reach_error(); }",
        "FALSE",
    );
}

/// What a function from outside does is not known, and neither is whether it returns.
#[test]
fn a_function_from_outside_is_not_the_end() {
    let source = "typedef void (*handler)(void);
        handler next_handler(void);
        static int calls;
        static void own(void) { calls++; }
        int main(void) {
            handler chosen = __VERIFIER_nondet_int() ? own : next_handler();
            if (chosen != 0) {
                chosen();
                if (calls == 0) reach_error();
            }
            return 0;
        }";
    check(source, "UNKNOWN");
}

#[test]
fn a_declaration_that_was_jumped_over_has_not_set_the_variable() {
    let program = load(
        "int __VERIFIER_nondet_int(void); void reach_error(void);
        int main(void) {
            if (__VERIFIER_nondet_int()) goto inside;
            { int x = 7; inside: if (x != 7) { reach_error(); } }
            return 0; }",
    );
    let (analyses, goals) = (Analyses::new(&program), unreachable());
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let task =
        Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    for findings in [
        engines::kinduction::run(task, &Options::default()),
        engines::bmc::run(task, &Options::default()),
        engines::predicate::run(task, &engines::predicate::Options::default(), &Options::default()).0,
    ] {
        assert!(!matches!(findings.outcome, Outcome::True), "{findings:?}");
    }
}

#[test]
fn running_out_of_time_while_terms_are_translated_is_no_failure() {
    let program = load(&format!(
        "{HEAD} int main(void) {{
            unsigned long long x = __VERIFIER_nondet_int(), y = 1;
            for (int i = 0; i < 2000; i++) {{ y = y * x + 3; x = x % (y | 1); }}
            if (__VERIFIER_nondet_int() == 7) {{ reach_error(); }}
            return 0; }}"
    ));
    let (analyses, goals) = (Analyses::new(&program), unreachable());
    let budget = Budget::unlimited().with_time(Duration::from_secs(1));
    let task =
        Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    let options = Options { slicing: false, refinement: false, ..Options::default() };
    let outcome = engines::bmc::run(task, &options).outcome;
    assert!(matches!(outcome, Outcome::Unknown { reason: Reason::Stopped(_) }), "{outcome:?}");
}
