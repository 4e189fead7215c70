//! Objects that loops make: those of one iteration are not those of the next, though a block that stands for all
//! iterations has one address for them. An error that takes several iterations must not be proved away.

mod support;

use base::Budget;
use engines::predicate::{self, AbstractionKind, Blocks, RefinementKind};
use engines::{Analyses, Options, Outcome, Task, kinduction, proof};
use sema::types::DataModel;
use std::time::Duration;
use support::{load_with, unreachable};
use task::Goal;

const HEAD: &str = "int __VERIFIER_nondet_int(void); void reach_error(void); int *from_outside(void);
    void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
    void *alloca(unsigned long); char *strdup(const char *);
    struct n { struct n *next; int v; };\n";

const LONG: Duration = Duration::from_secs(60);

/// What `predicate` and k-induction say of a program, for both widths of pointers; proofs must hold.
fn verdicts(
    source: &str,
    goals: &[Goal],
    options: &predicate::Options,
    time: Duration,
) -> Vec<(&'static str, String)> {
    let source = format!("{HEAD}{}", source.replace("more", "__VERIFIER_nondet_int()"));
    let unwinding = Options::default();
    let mut verdicts = Vec::new();
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let program = load_with(&source, model, task::lives(goals));
        let analyses = Analyses::new(&program);
        let budget = Budget::unlimited().with_time(time);
        let task = Task { program: &program, analyses: &analyses, goals, condition: None, budget: &budget };
        let found = [
            ("predicate", predicate::run(task, options, &unwinding).0),
            ("kinduction", kinduction::run(task, &unwinding)),
        ];
        for (engine, findings) in found {
            let verdict = match findings.outcome {
                Outcome::True => {
                    let unlimited = Budget::unlimited();
                    let checked = proof::check(Task { budget: &unlimited, ..task }, &unwinding, &findings);
                    format!("TRUE {checked:?}")
                }
                Outcome::False { .. } => "FALSE".into(),
                Outcome::Unknown { reason } => format!("UNKNOWN {reason:?}"),
            };
            verdicts.push((engine, verdict));
        }
    }
    verdicts
}

/// Both engines find the error, in blocks of every size that large ones can have.
fn finds(source: &str) {
    for blocks in [Blocks::Loops, Blocks::Large, Blocks::Adjustable(10)] {
        let options = predicate::Options { blocks, ..Default::default() };
        for (engine, verdict) in verdicts(source, &unreachable(), &options, LONG) {
            assert_eq!(verdict, "FALSE", "{engine}, {blocks}: {source}");
        }
    }
}

/// Both engines find that a goal is violated.
fn violates(goal: Goal, source: &str) {
    for (engine, verdict) in
        verdicts(source, std::slice::from_ref(&goal), &predicate::Options::default(), LONG)
    {
        assert_eq!(verdict, "FALSE", "{engine}: {source}");
    }
}

/// The engine `predicate` proves that there is no error, and k-induction does not say that there is one.
fn proves(source: &str) {
    for (engine, verdict) in verdicts(source, &unreachable(), &predicate::Options::default(), LONG) {
        let is_right = verdict == "TRUE Ok(())" || (engine == "kinduction" && verdict.starts_with("UNKNOWN"));
        assert!(is_right, "{engine} says {verdict}: {source}");
    }
}

#[test]
fn memory_of_different_iterations_is_different() {
    for made in ["malloc(4)", "calloc(1, 4)", "alloca(4)", "strdup(\"a\")", "make()"] {
        finds(&format!(
            "char *make(void) {{ return malloc(3); }}
            int main(void) {{ char *p = {made}, *q = 0; int i = 0;
            while (more) {{ q = p; p = {made}; i++; if (i > 6 && p != q) reach_error(); }} }}"
        ));
    }
}

#[test]
fn also_if_there_is_hardly_room_for_two() {
    let source = "int main(void) { char *p = 0, *q = 0; int i = 0; while (more) {
        q = p; p = malloc(0x90000000); i++; if (i > 3 && p != q) reach_error(); } }";
    for (engine, verdict) in verdicts(source, &unreachable(), &predicate::Options::default(), LONG) {
        assert!(!verdict.starts_with("TRUE"), "{engine} says {verdict}: {source}");
    }
}

#[test]
fn so_is_memory_from_outside() {
    finds(
        "int main(void) { int *p = 0, *q = 0, i = 0;
        while (more) { q = p; p = from_outside(); i++; if (i > 6 && p && q && p != q) reach_error(); } }",
    );
}

#[test]
fn what_is_found_in_old_memory_stays_the_same() {
    finds(
        "extern struct n *first; int main(void) { struct n *q = 0; int i = 0; if (!first) return 0;
        while (more) { if (i > 6 && q && q == first->next) reach_error(); q = first->next; i++; } }",
    );
    finds(
        "extern struct n first; int main(void) { struct n *q = 0; int i = 0;
        while (more) { if (i > 6 && q && q == first.next) reach_error(); q = first.next; i++; } }",
    );
}

#[test]
fn lists() {
    finds(
        "int main(void) { struct n *h = 0; int i = 0;
        while (more) { struct n *x = malloc(sizeof *x); x->next = h; x->v = i; h = x; i++;
            if (i > 5 && h->next != h) reach_error(); } }",
    );
    finds(
        "int main(void) { struct n *h = 0; int i = 0;
        while (more) { struct n *x = malloc(sizeof *x); x->next = h; x->v = i;
            if (h && h->v != x->v && i > 5) reach_error(); h = x; i++; } }",
    );
}

#[test]
fn numbers_that_are_computed_from_addresses() {
    for number in ["address", "5 * address + 3", "(address >> 4) & 1023", "(short)address"] {
        finds(&format!(
            "int main(void) {{ unsigned long u = 0, v = 0, address; int i = 0;
            while (more) {{ address = (unsigned long)malloc(4); v = u; u = {number}; i++;
                if (i > 6 && u != v) reach_error(); }} }}"
        ));
    }
    finds(
        "union u { char *p; unsigned long l; }; int main(void) { union u a, b; int i = 0; a.p = 0; b.p = 0;
        while (more) { b.l = a.l; a.p = malloc(4); i++; if (i > 6 && a.l != b.l) reach_error(); } }",
    );
}

#[test]
fn pointers_beside_their_objects_and_their_order() {
    finds(
        "int main(void) { char *p = malloc(4), *q = 0; int i = 0; p--;
        while (more) { q = p; p = malloc(4); p--; i++; if (i > 6 && p != q) reach_error(); } }",
    );
    for order in ["<", ">"] {
        let source = format!(
            "int main(void) {{ char *p = malloc(4), *q = 0; int i = 0;
            while (more) {{ q = p; p = malloc(4); i++; if (i > 6 && q {order} p) reach_error(); }} }}"
        );
        for (engine, verdict) in verdicts(&source, &unreachable(), &predicate::Options::default(), LONG) {
            assert!(
                engine != "predicate" || !verdict.starts_with("TRUE"),
                "{engine} says {verdict}: {source}"
            );
        }
    }
}

#[test]
fn arrays_of_computed_length() {
    finds(
        "int main(void) { int i = 0;
        while (more) { int n = i + 1; int a[n]; a[i] = i; i++; if (i > 6 && a[i - 1] == i - 1) reach_error(); } }",
    );
    finds(
        "int f(int n) { int a[n]; a[n - 1] = n; return a[n - 1]; }
        int main(void) { int i = 1; while (more) { i++; if (i > 6 && f(i) == i) reach_error(); } }",
    );
}

#[test]
fn variables_of_earlier_iterations_are_dead() {
    violates(
        Goal::ValidDereference,
        "int main(void) { int i = 0, *p = 0; while (more) { int x = i; if (i > 5) *p = 1; p = &x; i++; } }",
    );
    violates(
        Goal::ValidDereference,
        "int main(void) { int i = 0, a[3]; struct n *p = malloc(sizeof *p); p->v = 5;
        while (more) { if (i > 5) a[p->v] = 1; p = malloc(sizeof *p); p->v = 5; i++; } }",
    );
}

#[test]
fn small_blocks_and_other_abstractions() {
    let source = "int main(void) { char *p = malloc(4), *q = 0; int i = 0;
        while (more) { q = p; p = malloc(4); i++; if (i > 6 && p != q) reach_error(); } }";
    let variants = [
        predicate::Options { blocks: Blocks::Single, ..Default::default() },
        predicate::Options { abstraction: AbstractionKind::Cartesian, ..Default::default() },
        predicate::Options { refinement: RefinementKind::Interpolation, ..Default::default() },
    ];
    for options in variants {
        for (engine, verdict) in verdicts(source, &unreachable(), &options, Duration::from_secs(5)) {
            assert!(!verdict.starts_with("TRUE"), "{engine} says {verdict} with {options:?}");
        }
    }
}

#[test]
fn what_is_known_of_new_objects_is_not_lost() {
    let (start, next) = ("char *p = malloc(4), *q = p + 2;", "p = malloc(4); q = p + 2;");
    for wrong in ["!p", "q - p != 2", "p == &g", "q == &g"] {
        proves(&format!(
            "char g; int main(void) {{ {start} while (more) {{ if ({wrong}) reach_error(); {next} }} }}"
        ));
    }
    proves(
        "int main(void) { char *p = malloc(4), *q;
        while (more) { q = p; p = malloc(4); if (p == q) reach_error(); } }",
    );
    proves(
        "int main(void) { char *p = malloc(4), *q = malloc(4);
        while (more) { if (p == q) reach_error(); p = malloc(4); q = malloc(4); } }",
    );
    proves(
        "int main(void) { char *p = 0; int is_there = 0; while (more) { if (is_there && !p) reach_error();
        if (more) { p = malloc(4); is_there = 1; } else { free(p); p = 0; is_there = 0; } } }",
    );
}
