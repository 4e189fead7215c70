//! Conditions of the engine `predicate`: what a stopped run has verified is right, and whoever takes it up comes
//! to the verdict of a run that was not stopped.

mod brute_force;
mod generator;
mod support;

use base::Budget;
use brute_force::brute_force;
use domains::monitors::Limits;
use engines::predicate::{Blocks, Options};
use engines::{Analyses, Findings, Outcome, Task};
use generator::Generator;
use std::time::Duration;
use support::{load, unreachable};
use task::Condition;

/// Runs one engine on a program, with what is verified, for a moment.
fn run(
    program: &cfa::Program,
    condition: Option<&Condition>,
    engine: impl FnOnce(Task<'_>) -> Findings,
) -> Findings {
    run_for(1, program, condition, engine)
}

fn run_for(
    seconds: u64,
    program: &cfa::Program,
    condition: Option<&Condition>,
    engine: impl FnOnce(Task<'_>) -> Findings,
) -> Findings {
    let analyses = Analyses::new(program);
    let budget = Budget::unlimited().with_time(Duration::from_secs(seconds));
    let goals = unreachable();
    engine(Task { program, analyses: &analyses, goals: &goals, condition, budget: &budget })
}

fn predicate(task: Task<'_>, blocks: Blocks, limit: Option<&str>) -> Findings {
    let mut limits = Limits::default();
    limit.iter().for_each(|text| limits.add(text).expect("the limit is well-formed"));
    let options = Options { blocks, limits, ..Options::default() };
    let unwinding = engines::Options::default();
    let findings = engines::predicate::run(task, &options, &unwinding).0;
    if matches!(findings.outcome, Outcome::True) {
        let checked = engines::proof::check(task, &unwinding, &findings);
        assert!(checked.is_ok(), "{checked:?}");
    }
    findings
}

/// What a run that was stopped has verified, read back from its text.
fn stopped(program: &cfa::Program, blocks: Blocks, limit: &str) -> Option<Condition> {
    let findings = run(program, None, |task| predicate(task, blocks, Some(limit)));
    if !matches!(findings.outcome, Outcome::Unknown { .. }) {
        return None;
    }
    let mut condition = Condition::nothing(program, &unreachable());
    condition.covered.extend(findings.covered);
    let text = task::condition::text::write(&condition, Some(program));
    Some(Condition::parse(&text, program).expect("what is written can be read"))
}

fn is_right(findings: &Findings, reached: bool, what: &str) -> u32 {
    match findings.outcome {
        Outcome::True => assert!(!reached, "{what} proves what is wrong"),
        Outcome::False { .. } => assert!(reached, "{what} refutes what is right"),
        Outcome::Unknown { .. } => return 0,
    }
    1
}

#[test]
fn stopped_runs_are_taken_up() {
    let (mut stops, mut something, mut decided) = (0, 0, 0);
    for seed in 0..48 {
        let source = Generator::program(seed);
        let program = load(&source);
        let Some(reached) = brute_force(&program) else { continue };
        let blocks = [Blocks::Loops, Blocks::Large, Blocks::Adjustable(6), Blocks::Single][seed as usize % 4];
        let limit = match (blocks, seed % 3) {
            (Blocks::Loops | Blocks::Large, 0) => "states=2",
            (_, 0) => "states=60",
            (_, 1) => "repeat-locations=0",
            _ => "repeat-locations=1",
        };
        let Some(condition) = stopped(&program, blocks, limit) else { continue };
        stops += 1;
        something += usize::from(!condition.covered.is_empty());
        let what = format!("{blocks} {limit} {condition:?}\n{source}");
        let again = run(&program, Some(&condition), |task| predicate(task, Blocks::Loops, None));
        decided += is_right(&again, reached, &what);
        let again = run(&program, Some(&condition), |task| {
            engines::bmc::run(task, &engines::Options { max_unwind: Some(12), ..Default::default() })
        });
        is_right(&again, reached, &what);
        let again =
            run(&program, Some(&condition), |task| engines::explicit::run(task, &Default::default()).0);
        is_right(&again, reached, &what);
    }
    println!("{stops} stopped, {something} with a condition, {decided} decided");
    assert!(stops > 10 && something > 3 && decided > 8, "{stops} stopped, {something}, {decided} decided");
}

#[test]
fn a_violation_that_is_left_open_is_found_by_another_engine() {
    let program = load(
        "int __VERIFIER_nondet_int(void); void reach_error(void);
         int main(void) { int i = 0; while (__VERIFIER_nondet_int()) { i++; if (i == 4) reach_error(); } }",
    );
    let condition = stopped(&program, Blocks::Loops, "repeat-locations=1").expect("the run is stopped");
    let Some(task::condition::Part::Automaton(automaton)) = condition.covered.first() else {
        panic!("something is verified")
    };
    assert!(!automaton.open.is_empty(), "what is open is named");
    let options = engines::Options::default();
    let found = run(&program, Some(&condition), |task| engines::bmc::run(task, &options));
    assert!(matches!(found.outcome, Outcome::False { .. }), "{:?}", found.outcome);
}

/// May end in the second iteration, and ends in the sixth, with or without an error.
fn two_ends(second: u32, sixth: u32) -> cfa::Program {
    load(&format!(
        "int __VERIFIER_nondet_int(void); void reach_error(void); int second = {second}, sixth = {sixth};
         int main(void) {{ int i = 0; while (__VERIFIER_nondet_int()) {{
           i++;
           if (i == 2 && __VERIFIER_nondet_int()) {{ if (second) reach_error(); return 0; }}
           if (i >= 6) {{ if (sixth) reach_error(); return 0; }} }} return 0; }}"
    ))
}

/// Automata are followed round loops. The condition covers the error: it is that of a program without it.
#[test]
fn what_automata_cover_behind_loops_is_not_looked_at() {
    let (other, program) = (two_ends(0, 1), two_ends(1, 0));
    for (limit, is_covered) in [("repeat-locations=0", false), ("repeat-locations=3", true)] {
        let stopped = stopped(&other, Blocks::Loops, limit).expect("the run is stopped");
        let mut condition = Condition::nothing(&program, &unreachable());
        condition.covered = stopped.covered;
        assert!(!condition.covered.is_empty(), "something is verified");
        for blocks in [Blocks::Loops, Blocks::Large, Blocks::Adjustable(6)] {
            let found = run_for(60, &program, Some(&condition), |task| predicate(task, blocks, None));
            match found.outcome {
                Outcome::True => assert!(is_covered, "{blocks} {limit}"),
                Outcome::False { .. } => assert!(!is_covered, "{blocks} {limit}"),
                other => panic!("{blocks} {limit}: {other:?}"),
            }
        }
    }
}
