//! Objects with large arrays and something else: what is accessed is what the program means, also where several
//! arrays look alike, where an index wraps around, and where bytes are of an array and of what is next to it.
//!
//! Inputs are only compared to ranges: what is known to be equal to a number is computed before it is encoded.

mod support;

use base::Budget;
use engines::{Analyses, Options, Outcome, Task};
use sema::types::DataModel;
use std::time::Duration;
use support::{load_with, unreachable};

const HEAD: &str = "unsigned __VERIFIER_nondet_uint(void); unsigned long __VERIFIER_nondet_ulong(void);
    void reach_error(void); void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
    void *memcpy(void *, const void *, unsigned long);\n";

fn verdict(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::True => "TRUE",
        Outcome::False { .. } => "FALSE",
        Outcome::Unknown { .. } => "UNKNOWN",
    }
}

fn check_for(model: DataModel, source: &str, expected: &str) {
    let source = format!("{HEAD}{source}");
    let program = load_with(&source, model, cfa::Lives::default());
    let (analyses, goals) = (Analyses::new(&program), unreachable());
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let task =
        Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    for engine in [engines::bmc::run, engines::kinduction::run] {
        let findings = engine(task, &Options { max_unwind: Some(12), ..Options::default() });
        assert_eq!(verdict(&findings.outcome), expected, "{model:?} {findings:?}\n{source}");
    }
}

fn check(source: &str, expected: &str) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        check_for(model, source, expected);
    }
}

/// The same program with an error if `condition` holds, and if it does not.
fn check_both(source: &str, condition: &str, expected: [&str; 2]) {
    for (condition, expected) in
        [(condition.to_string(), expected[0]), (format!("!({condition})"), expected[1])]
    {
        check(&format!("{source} if ({condition}) reach_error(); return 0; }}"), expected);
    }
}

#[test]
fn arrays_that_look_alike() {
    check_both(
        "struct b { int data[100]; } bufs[2];
         int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i < 3 || i > 3) return 0; bufs[1].data[3] = 7;",
        "bufs[1].data[i] == 7",
        ["FALSE", "TRUE"],
    );
    check_both(
        "struct m { char from[80]; char to[80]; } m;
         int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i >= 80) return 0; m.to[5] = 1; m.to[i] = 2;",
        "m.to[5] == 1 || m.from[5] || m.from[i]",
        ["FALSE", "FALSE"],
    );
    check_both(
        "struct b { int data[100]; } *bufs;
         int main(void) { bufs = calloc(3, sizeof *bufs); unsigned i = __VERIFIER_nondet_uint(), k = i / 64;
         if (i >= 96 || i < 70) return 0; bufs[k].data[i] = 7;",
        "bufs[1].data[i] == 7 && bufs[0].data[i] == 0 && bufs[2].data[i] == 0",
        ["FALSE", "TRUE"],
    );
}

#[test]
fn what_is_next_to_an_array() {
    check_both(
        "struct s { int a[100]; int b; } s;
         int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i < 100 || i > 100) return 0; s.b = 7;",
        "((int *)&s)[i] == 7",
        ["FALSE", "TRUE"],
    );
    check_both(
        "struct s { int n; int a[100]; int b; } s;
         int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i >= 102) return 0; ((int *)&s)[i] = 7;",
        "s.n == 7 || s.b == 7 || (i > 0 && i <= 100 && s.a[i - 1] == 7)",
        ["FALSE", "TRUE"],
    );
    check_both(
        "struct s { char text[80]; int numbers[1000]; int n; } s;
         int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i >= 80) return 0; s.n = 5; s.text[i] = 7;",
        "s.n == 5 && s.numbers[i] == 0 && s.text[i] == 7",
        ["FALSE", "TRUE"],
    );
    check_both(
        "struct s { int a[100]; union { int x[200]; char y[800]; } u; } s;
         int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i >= 100) return 0; s.u.x[i] = 7;",
        "s.u.y[4 * i] == 7 && s.a[i] == 0",
        ["FALSE", "TRUE"],
    );
}

#[test]
fn indices_that_wrap_around() {
    check_both(
        "struct p { int x, y, z; } ram[10];
         int main(void) { unsigned a = __VERIFIER_nondet_uint(); if (a < 0x20000005u || a >= 0x20000006u) return 0;
         ram[5].x = 7;",
        "ram[a - 0x20000000u].x == 7",
        ["FALSE", "TRUE"],
    );
    check_both(
        "struct p { int x; short y; int z; } ram[100];
         int main(void) { unsigned a = __VERIFIER_nondet_uint(); if (a < 0x20000005u || a >= 0x20000006u) return 0;
         ram[5].z = 7; ram[a - 0x20000000u].y = 3;",
        "ram[a - 0x20000000u].z == 7 && ram[5].y == 3",
        ["FALSE", "TRUE"],
    );
    check(
        "int a[10]; int main(void) { unsigned long i = __VERIFIER_nondet_ulong(); if (3 * i > 2 || 3 * i < 2) return 0;
         a[2] = 7; if (a[3 * i] == 7) reach_error(); return 0; }",
        "FALSE",
    );
    check(
        "int a[100]; int main(void) { unsigned long i = __VERIFIER_nondet_ulong(); if (3 * i > 2 || 3 * i < 2) return 0;
         a[2] = 7; if (a[3 * i] != 7) reach_error(); return 0; }",
        "TRUE",
    );
}

#[test]
fn records_of_sizes_that_are_no_powers_of_two() {
    let program = "struct p { int x; short y; char c; long z; };
        int main(void) { struct p *p = calloc(100, sizeof *p);
        unsigned long i = __VERIFIER_nondet_ulong(), k = __VERIFIER_nondet_ulong(); if (i >= 100 || k >= 100) return 0;
        p[i].x = 1; p[i].y = 2; p[k].z = 3; struct p *q = &p[k]; q->c = 4;";
    check_both(program, "p[i].x == 1 && p[i].y == 2 && q->z == 3 && p[k].c == 4", ["FALSE", "TRUE"]);
    check_both(program, "q->x == 1", ["FALSE", "FALSE"]);
}

#[test]
fn bytes_of_an_array_and_of_something_else() {
    check(
        "typedef struct { int x; short y; } t; t a[65];
         int main(void) { unsigned i = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
         if (i > 100 || k > 64) return 0; *(short *)((char *)a + i) = 0; a[k].x = 7;
         if (a[9].x == 7) reach_error(); return 0; }",
        "FALSE",
    );
    check_both(
        "struct s { int x; struct { int p, q; } a[100]; } s;
         int main(void) { s.a[0].p = 5; *(long long *)&s = 0x700000001; unsigned i = __VERIFIER_nondet_uint();
         if (i > 0) return 0;",
        "s.a[i].p == 7 && s.x == 1",
        ["FALSE", "TRUE"],
    );
    check_both(
        "struct s { int x; struct { int p, q; } a[100]; };
         int main(void) { struct s s; s.a[0].p = 3; long long both = *(long long *)&s;
         unsigned i = __VERIFIER_nondet_uint(); if (i > 1) return 0; s.a[i].p = 7;",
        "s.a[0].p == (i ? 3 : 7) && both >> 32 == 3",
        ["FALSE", "TRUE"],
    );
}
