//! Programs of which no engine may say anything else than what is so, and some engine must say it.

mod support;

use base::Budget;
use engines::{Analyses, Options, Outcome, Task};
use sema::types::DataModel;
use std::time::Duration;
use support::{ENGINES, load_with, unreachable};
use task::Goal;

const HEAD: &str = "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);
    unsigned char __VERIFIER_nondet_uchar(void); char __VERIFIER_nondet_char(void);
    void reach_error(void); void *malloc(unsigned long); void free(void *);\n";

fn verdict(outcome: &Outcome) -> Option<bool> {
    match outcome {
        Outcome::True => Some(true),
        Outcome::False { .. } => Some(false),
        Outcome::Unknown { .. } => None,
    }
}

fn check_for(model: DataModel, goals: &[Goal], source: &str, expected: bool) {
    let options = Options { max_unwind: Some(40), ..Options::default() };
    check_with(&options, model, goals, source, expected);
}

fn check_with(options: &Options, model: DataModel, goals: &[Goal], source: &str, expected: bool) {
    let said = verdicts(options, model, goals, source, expected);
    assert!(said > 0, "no engine says {expected}\n{source}");
}

/// How many engines say what is expected; none may say the opposite.
fn verdicts(options: &Options, model: DataModel, goals: &[Goal], source: &str, expected: bool) -> usize {
    let source = format!("{HEAD}{source}");
    let program = load_with(&source, model, task::lives(goals));
    let analyses = Analyses::new(&program);
    let mut said = 0;
    for (name, engine) in ENGINES {
        let budget = Budget::unlimited().with_time(Duration::from_secs(5));
        let task = Task { program: &program, analyses: &analyses, goals, condition: None, budget: &budget };
        let findings = engine(task, options);
        let given = verdict(&findings.outcome);
        assert!(given.is_none_or(|given| given == expected), "{name}: {findings:?}\n{source}");
        said += usize::from(given.is_some());
    }
    said
}

fn check(source: &str, expected: bool) {
    check_for(DataModel::Lp64, &unreachable(), source, expected);
}

#[test]
fn library_functions_may_be_declared_otherwise() {
    check("int floor(int x); int main(void) { if (floor(3) == 77) reach_error(); }", false);
}

#[test]
fn there_are_arguments_of_main() {
    check("int main(int argc, char **argv) { if (argc < 0 || !argv) reach_error(); }", true);
    check("int main(int argc, char **argv) { if (argc > 2) reach_error(); }", false);
}

#[test]
fn a_program_may_have_no_variables() {
    check("void main(void) { while (__VERIFIER_nondet_int()) { } }", true);
}

#[test]
fn error_functions_are_called_through_pointers() {
    check("void call(void (*f)(void)) { f(); } int main(void) { call(reach_error); }", false);
    check("int main(void) { ((void (*)(int))reach_error)(3); }", false);
    check("int main(void) { (0, reach_error)(); }", false);
    check(
        "void nothing(void) { } void (*table[])(void) = { nothing, nothing, reach_error };
        int main(void) { for (;;) { unsigned i = __VERIFIER_nondet_uint(); if (i < 3) table[i](); } }",
        false,
    );
    check(
        "void nothing(void) { } void (*table[])(void) = { nothing, nothing, reach_error };
        int main(void) { for (;;) { unsigned i = __VERIFIER_nondet_uint(); if (i < 2) table[i](); } }",
        true,
    );
}

#[test]
fn a_state_is_known_of_the_path_that_got_there_only() {
    check(
        "int main(void) {
            unsigned char phase = 0, s = 0; unsigned i = 0, x = __VERIFIER_nondet_uint(), y = x;
            while (i < (x & 3)) i++;
            if (i == 2) { if ((x & 3) == 2) return 0; s = 5; }
            while (1) {
                if (phase == 0) { phase = 1; if (__VERIFIER_nondet_uchar() == 3) return 0; }
                else if (phase == 1) { y = 0; if (__VERIFIER_nondet_uchar() == 1) phase = 2; }
                else {
                    if (y == 200) return 0;
                    if (s == 5) reach_error();
                    unsigned char c = __VERIFIER_nondet_uchar();
                    if (c == 7) s = 5; else if (c == 8) return 0;
                }
            }
        }",
        false,
    );
}

/// One path has gone through iterations without a choice when another one, which comes later, has one there.
#[test]
fn all_paths_through_a_loop_split() {
    check(
        "int r(int n) { if (n == 0) return 0; return r(n - 1) + 1; }
        int main(void) {
            unsigned char x = __VERIFIER_nondet_uchar(); int m = 0, c = 0, e = 0;
            if (x != 0) m = r(1);
            while (1) {
                if (m == 0) { if (c == 2) m = r(2); }
                else if (m == 1) { if (__VERIFIER_nondet_uchar()) return 0; }
                else { if (__VERIFIER_nondet_uchar()) e++; if (e == 50 && x == 0) reach_error(); }
                if (c < 100) c++;
            }
        }",
        false,
    );
}

/// What is learnt at depth 0 is not known of loops that had no choice there, also where that is not where one begins.
#[test]
fn restarted_inductions_begin_at_depth_0() {
    let restarted = Options { max_unwind: Some(40), restart: true, ..Options::default() };
    let source = "int main(void) {
        unsigned char flag = __VERIFIER_nondet_uchar(); if (flag == 9) return 0; unsigned c = 0;
        while (1) {
            if (__VERIFIER_nondet_uchar() == 77) return 0;
            for (int k = 0; k < 10; k++) { if (flag == 9) break; }
            c++; if (c == 30) reach_error();
        }
    }";
    check_with(&restarted, DataModel::Lp64, &unreachable(), source, false);
}

#[test]
fn what_is_violated_is_not_verified() {
    let source = format!(
        "{HEAD} int main(void) {{
            unsigned n = 0;
            if (__VERIFIER_nondet_uchar() == 5) reach_error();
            while (__VERIFIER_nondet_uchar()) {{ n++; if (n == 7) return 0; if (n == 9) reach_error(); }}
        }}"
    );
    let program = load_with(&source, DataModel::Lp64, cfa::Lives::default());
    let (analyses, goals, budget) = (Analyses::new(&program), unreachable(), Budget::unlimited());
    let task =
        Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    let options = Options { max_unwind: Some(3), all_properties: true, ..Options::default() };
    let findings = engines::bmc::run(task, &options);
    assert_eq!(verdict(&findings.outcome), Some(false), "{findings:?}");
    assert!(findings.covered.is_none(), "{findings:?}");
}

#[test]
fn conversions_to_bool_lose_digits() {
    check(
        "int main(void) { char c = __VERIFIER_nondet_char(); if ((_Bool)c == 1 && c == 5) reach_error(); }",
        false,
    );
    check(
        "int main(void) { unsigned u = __VERIFIER_nondet_uint();
            switch ((_Bool)u) { case 1: if (u > 100) reach_error(); } }",
        false,
    );
}

#[test]
fn freed_memory_does_not_hold_other_memory() {
    let goals = [Goal::ValidMemoryTracking];
    let program = |freed: &str| {
        format!(
            "struct node {{ struct node *next; }} *p;
            int main(void) {{
                p = malloc(sizeof *p); p->next = malloc(sizeof *p); p->next->next = 0;
                {freed} return 0;
            }}"
        )
    };
    check_for(DataModel::Lp64, &goals, &program("if (__VERIFIER_nondet_int()) free(p);"), false);
    check_for(DataModel::Lp64, &goals, &program(""), true);
}

/// A pointer to a member that is an array may be moved to the whole.
#[test]
fn members_lead_to_what_they_are_in() {
    check(
        "struct s { int x; char name[4]; int y; } s;
        int main(void) {
            char *c = s.name; s.x = 1; unsigned i = 0;
            while (__VERIFIER_nondet_int()) {
                struct s *p = (struct s *)(c - 4);
                if (i == 6) p->x = 5;
                i++;
            }
            if (s.x == 5) reach_error();
        }",
        false,
    );
}

#[test]
fn addresses_are_signed() {
    let source = "int main(void) { if ((long long)(void *)-1 == -1) reach_error(); }";
    check_for(DataModel::Ilp32, &unreachable(), source, false);
}

#[test]
fn floats_beyond_unsigned_long() {
    check(
        "double __VERIFIER_nondet_double(void);
        int main(void) {
            double d = __VERIFIER_nondet_double();
            if (d < -1e30 && (unsigned long)d == 0x8000000000000000ul) reach_error();
        }",
        false,
    );
    check(
        "double __VERIFIER_nondet_double(void);
        int main(void) {
            double d = __VERIFIER_nondet_double();
            if (d >= 9223372036854775808.0 && d < 1e19 && (unsigned long)d < 0x8000000000000000ul) reach_error();
            if (d >= 0 && d < 5 && (unsigned long)d > 4) reach_error();
        }",
        true,
    );
}

#[test]
fn some_functions_from_outside_have_known_results() {
    check(
        "int rand(void); int getchar(void);
        int main(void) { int c = getchar(); if (rand() < 0 || c < -1 || c > 255) reach_error(); }",
        true,
    );
    check("int getchar(void); int main(void) { if (getchar() == -1) reach_error(); }", false);
    check("int getchar(void); int main(void) { if (getchar() == 255) reach_error(); }", false);
    check("int rand(void); int main(void) { if (rand() == 2147483647) reach_error(); }", false);
}

/// Memory can hold long doubles that no operation gives. What they do is not modelled.
#[test]
fn unusual_long_doubles_are_not_taken_for_others() {
    let source = "unsigned long long __VERIFIER_nondet_ulonglong(void);
        union u { long double l; struct { unsigned long long m; unsigned short e; } s; };
        int main(void) {
            union u a, b; a.l = 1.0L; a.s.m = __VERIFIER_nondet_ulonglong();
            long double x = a.l; b.l = x; if (b.s.m == 1) reach_error();
        }";
    verdicts(&Options::default(), DataModel::Lp64, &unreachable(), source, false);
}

/// A variable that a jump comes back to is the same object as before.
#[test]
fn declarations_that_jumps_come_back_to() {
    let source = "int main(void) {
            int i = 0; int *p = 0; int a[3];
        again:;
            int x;
            if (p && i > 5 && p == &x) a[i] = 1;
            x = i; p = &x; i++;
            if (__VERIFIER_nondet_int()) goto again;
        }";
    verdicts(&Options::default(), DataModel::Lp64, &[Goal::ValidDereference], source, false);
    let in_a_loop = "int main(void) {
            int *p = 0;
            while (__VERIFIER_nondet_int()) { int x = 3; p = &x; *p = 4; }
        }";
    check_for(DataModel::Lp64, &[Goal::ValidDereference], in_a_loop, true);
}

/// What the call writes is what the assignment reads.
#[test]
fn calls_in_the_value_of_a_compound_assignment() {
    let program = |wrong: i32| {
        format!(
            "int total; int add(int n) {{ if (n > 0) total += add(n - 1); total++; return n; }}
            int main(void) {{
                int n = __VERIFIER_nondet_int(); if (n < 2 || n > 2) return 0;
                add(n); if (total == {wrong}) reach_error();
            }}"
        )
    };
    check(&program(4), false);
    check(&program(3), true);
}

#[test]
fn a_function_may_come_from_outside() {
    let source = "typedef int (*function)(int); function get(void); int one(int x) { return 1; }
        int main(void) {
            function f = __VERIFIER_nondet_int() > 3 ? one : get();
            if (f(3) == 77) reach_error();
        }";
    verdicts(&Options::default(), DataModel::Lp64, &unreachable(), source, false);
}

#[test]
fn packed_bit_fields_reach_beyond_their_type() {
    check(
        "struct __attribute__((packed)) s { unsigned a : 5; unsigned b : 32; unsigned c : 3; } s, t;
        struct s *ps[2];
        int main(void) {
            int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0;
            ps[0] = &s; ps[1] = &t; s.b = 0; ps[i]->b = 0xffffffffu;
            if (((unsigned char *)&s)[4] != 0) reach_error();
        }",
        false,
    );
}

#[test]
fn pointers_are_copied_as_floats() {
    check(
        "int x = 1, y = 1; int *ps[2] = { &x, &y }; union u { int *p; double d; };
        int main(void) {
            int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0;
            union u u, v; u.p = ps[i]; v.d = u.d; *v.p = 4;
            if (x == 4) reach_error();
        }",
        false,
    );
}

#[test]
fn locals_are_aligned() {
    check(
        "void f(void) { int x = 3; if (((unsigned long)&x & 3) == 0) reach_error(); }
        int main(void) { char c[1]; c[0] = 1; f(); return c[0]; }",
        false,
    );
}

#[test]
fn programs_differ_in_their_types() {
    let fingerprint = |declaration: &str| {
        let source =
            format!("{HEAD}{declaration} int main(void) {{ s.a = 3; if (s.a != 3) reach_error(); }}");
        task::condition::Fingerprint::of(&load_with(&source, DataModel::Lp64, cfa::Lives::default()))
    };
    let first = fingerprint("struct s { unsigned a : 3; } s;");
    assert_eq!(first, fingerprint("struct s { unsigned a : 3; } s;"));
    for other in [
        "struct s { unsigned a : 4; } s;",
        "union s { unsigned a : 3; } s;",
        "struct s { int b; unsigned a : 3; } s;",
    ] {
        assert_ne!(first, fingerprint(other), "{other}");
    }
}
