//! Proofs of the engine `explicit`: its reached states as invariants, checked by encoding the program anew.

mod brute_force;
mod generator;
mod support;

use base::Budget;
use brute_force::brute_force;
use cfa::Program;
use engines::explicit::Options;
use engines::{Analyses, Findings, Outcome, Reason, Task, explicit, proof};
use generator::Generator;
use std::time::Duration;
use support::{load, unreachable};
use task::Goal;

fn with_task<R>(program: &Program, goals: &[Goal], work: impl FnOnce(Task<'_>) -> R) -> R {
    let (analyses, budget) = (Analyses::new(program), Budget::unlimited().with_time(Duration::from_secs(10)));
    work(Task { program, analyses: &analyses, goals, condition: None, budget: &budget })
}

fn prove(program: &Program, goals: &[Goal]) -> Findings {
    let mut options = Options { proof: true, ..Options::default() };
    options.limits.add("states=2000").expect("a limit");
    with_task(program, goals, |task| explicit::run(task, &options).0)
}

fn check(program: &Program, goals: &[Goal], findings: &Findings) -> Result<(), Reason> {
    with_task(program, goals, |task| proof::check(task, &engines::Options::default(), findings))
}

const LOCK: &str = "int __VERIFIER_nondet_int(void); void reach_error(void); int lock;
    static void take(void) { if (lock) reach_error(); lock = 1; }
    static void give(void) { if (!lock) reach_error(); lock = 0; }
    int main(void) { int n = 0, got;
    do { take(); got = n; if (__VERIFIER_nondet_int()) { give(); n = (n + 1) % 7; } } while (got != n);
    give(); return 0; }";

const COPIES: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
    int main(void) { unsigned x = __VERIFIER_nondet_int(), y = x;
    while (__VERIFIER_nondet_int()) { x++; y++; } if (x != y) reach_error(); return 0; }";

const RECURSION: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
    static int depth(int n) { return n > 0 ? depth(n - 1) + 1 : 0; }
    int main(void) { int i = 0; while (i < 4) { i++; if (depth(i) != i) reach_error(); } return 0; }";

/// A program, something of it, and what makes it unsafe in its place.
const PROGRAMS: [(&str, &str, &str); 3] = [
    (LOCK, "got = n; if", "got = n + 1; if"),
    (COPIES, "x++; y++;", "x++; y += 2;"),
    (RECURSION, "depth(n - 1) + 1", "depth(n - 1) + (n < 4)"),
];

#[test]
fn proofs_hold_and_those_of_other_programs_do_not() {
    for (source, part, other) in PROGRAMS {
        let (program, goals) = (load(source), unreachable());
        let findings = prove(&program, &goals);
        assert!(matches!(findings.outcome, Outcome::True), "{:?}", findings.outcome);
        check(&program, &goals, &findings).unwrap_or_else(|reason| panic!("{reason:?}\n{source}"));
        let changed = load(&source.replace(part, other));
        let wrong = check(&changed, &goals, &findings);
        assert!(matches!(wrong, Err(Reason::NoProof(_))), "{other}: {wrong:?}");
    }
}

#[test]
fn proofs_without_overflow_hold() {
    let source = "int __VERIFIER_nondet_int(void); int main(void) { int s = 0;
        for (int i = 0; i < 20; i++) { if (__VERIFIER_nondet_int()) s = (s + i) % 10; } return s; }";
    let (program, goals) = (load(source), vec![Goal::NoOverflow]);
    let findings = prove(&program, &goals);
    assert!(matches!(findings.outcome, Outcome::True), "{:?}", findings.outcome);
    check(&program, &goals, &findings).unwrap_or_else(|reason| panic!("{reason:?}"));
}

/// What random programs are proved to be, the solver confirms for most; where it does not, that is all.
#[test]
fn most_proofs_of_random_programs_hold() {
    let (mut held, mut lost) = (0, 0);
    for seed in 0..150 {
        let source = Generator::program(seed);
        let (program, goals) = (load(&source), unreachable());
        let Some(false) = brute_force(&program) else { continue };
        let findings = prove(&program, &goals);
        if !matches!(findings.outcome, Outcome::True) {
            continue;
        }
        match check(&program, &goals, &findings) {
            Ok(()) => held += 1,
            Err(Reason::NoProof(_) | Reason::Stopped(_)) => lost += 1,
            Err(reason) => panic!("{reason:?}\n{source}"),
        }
    }
    assert!(held > 5 && held > 2 * lost, "{held} held, {lost} did not");
}
