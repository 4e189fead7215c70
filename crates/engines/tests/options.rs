//! What the options of bounded model checking and induction change, and what they must not.

mod support;

use base::Budget;
use engines::{Analyses, Findings, Options, Outcome, PropertyVerdict, Reason, Status, Strategy, Task};
use std::time::Duration;
use support::{load, unreachable};
use task::condition::{Automaton, AutomatonState, EdgeName, Part, Target, Transition};
use task::{Condition, LoopBounds};

const HEAD: &str = "int __VERIFIER_nondet_int(void); void reach_error(void); void reach_error2(void);\n";

/// The error is reached in the sixth iteration, if the loop is left before the eighth.
const SIXTH: &str = "int main(void) { int i = 0; while (__VERIFIER_nondet_int() && i < 8) {
    i++; if (i == 6) reach_error(); } }";

const SAFE: &str = "int main(void) { int i = 0; while (__VERIFIER_nondet_int() && i < 8) {
    i++; if (i == 9) reach_error(); } }";

fn run(source: &str, options: &Options, covered: Option<LoopBounds>) -> Findings {
    run_engine(source, options, covered, engines::bmc::run)
}

fn run_engine(
    source: &str,
    options: &Options,
    covered: Option<LoopBounds>,
    engine: fn(Task<'_>, &Options) -> Findings,
) -> Findings {
    let program = load(&format!("{HEAD}{source}"));
    let (analyses, goals) = (Analyses::new(&program), unreachable());
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let condition = covered.map(|bounds| {
        let mut condition = Condition::nothing(&program, &goals);
        condition.covered.push(Part::LoopBounds(bounds));
        condition
    });
    let condition = condition.as_ref();
    engine(
        Task { program: &program, analyses: &analyses, goals: &goals, condition, budget: &budget },
        options,
    )
}

fn every_loop(bound: u32) -> LoopBounds {
    LoopBounds { every_loop: bound, recursion: bound, ..LoopBounds::default() }
}

fn is_false(findings: &Findings) -> bool {
    matches!(findings.outcome, Outcome::False { .. })
}

#[test]
fn a_bound_that_is_too_low_is_told() {
    let options = Options { max_unwind: Some(4), ..Options::default() };
    let findings = run(SIXTH, &options, None);
    assert!(matches!(findings.outcome, Outcome::Unknown { reason: Reason::BoundReached }));
    assert_eq!(findings.covered, Some(Part::LoopBounds(every_loop(4))));
}

#[test]
fn another_run_goes_on_from_the_condition() {
    let findings = run(SIXTH, &Options::default(), Some(every_loop(4)));
    assert!(is_false(&findings), "{findings:?}");
    let findings = run(SAFE, &Options::default(), Some(every_loop(4)));
    assert!(matches!(findings.outcome, Outcome::True), "{findings:?}");
}

#[test]
fn what_a_condition_covers_is_not_looked_at() {
    let findings = run(SIXTH, &Options::default(), Some(every_loop(7)));
    assert!(!is_false(&findings), "{findings:?}");
}

/// Without inputs, the loop is not counted; the condition counts it.
#[test]
fn loops_without_inputs_count_for_conditions() {
    let source = "int main(void) { int i = 0; while (i < 8) { i++; if (i == 6) reach_error(); } }";
    assert!(is_false(&run(source, &Options::default(), Some(every_loop(3)))));
    assert!(!is_false(&run(source, &Options::default(), Some(every_loop(7)))));
}

#[test]
fn loops_have_limits_of_their_own() {
    let source = "int main(void) { int i = 0, j = 0;
        while (__VERIFIER_nondet_int() && i < 8) i++;
        while (__VERIFIER_nondet_int() && j < 5) j++;
        if (i == 3 && j == 4) reach_error(); }";
    let program = load(&format!("{HEAD}{source}"));
    let loops = Analyses::new(&program).loops;
    let (first, _) = loops.loops.enumerated().next().unwrap();
    let mut options = Options::default();
    options.max_unwind_of.insert(first, 2);
    let findings = run(source, &options, None);
    assert!(matches!(findings.outcome, Outcome::Unknown { reason: Reason::BoundReached }), "{findings:?}");
    let Some(Part::LoopBounds(covered)) = findings.covered else { panic!("{findings:?}") };
    assert_eq!(covered.loops.values().copied().collect::<Vec<_>>(), [2]);
    assert!(covered.every_loop >= 5, "{covered:?}");
    options.max_unwind_of.insert(first, 3);
    assert!(is_false(&run(source, &options, None)));
}

#[test]
fn verdicts_do_not_depend_on_how_they_are_found() {
    let nested = "int main(void) { int i, j, n = 0; for (i = 0; i < 3; i++) {
            int stop = __VERIFIER_nondet_int(); for (j = 0; j < 4 && j != stop; j++) n++; }
        if (n ERROR) reach_error(); }";
    let squares = "int main(void) { int x = __VERIFIER_nondet_int(), i = 0;
        if (x < 0 || x > 100) return 0; while (i < 2 && __VERIFIER_nondet_int()) { x = x * x + i; i++; }
        if (x ERROR) reach_error(); }";
    let variants = [
        Options::default(),
        Options { restart: true, ..Options::default() },
        Options { strategy: Strategy::InnerFirst, ..Options::default() },
        Options { strategy: Strategy::AllLoops, ..Options::default() },
        Options { slicing: false, ..Options::default() },
        Options { preprocessing: false, ..Options::default() },
        Options { refinement: false, ..Options::default() },
    ];
    for (program, error, violated) in [
        (nested, "== 12", true),
        (nested, "> 12", false),
        (squares, "== 82", true),
        (squares, "== 103", false),
    ] {
        for options in &variants {
            for engine in [engines::bmc::run, engines::kinduction::run] {
                let findings = run_engine(&program.replace("ERROR", error), options, None, engine);
                match findings.outcome {
                    Outcome::True => assert!(!violated, "{options:?}\n{program} {error}"),
                    Outcome::False { .. } => assert!(violated, "{options:?}\n{program} {error}"),
                    Outcome::Unknown { reason } => panic!("{reason:?} {options:?}\n{program} {error}"),
                }
            }
        }
    }
}

#[test]
fn every_place_has_a_verdict() {
    let source = "int main(void) { int x = __VERIFIER_nondet_int();
        if (x == 1) reach_error();
        if (x == 2 && x == 3) reach_error();
        if (x == 4) reach_error(); }";
    let options = Options { all_properties: true, ..Options::default() };
    let findings = run(source, &options, None);
    assert!(is_false(&findings));
    let verdicts: Vec<char> = findings
        .properties
        .iter()
        .map(|property| match property.status {
            Status::Holds => 'T',
            Status::Violated(_) => 'F',
            Status::Open => '?',
        })
        .collect();
    assert_eq!(verdicts, ['F', 'T', 'F']);
}

/// What an automaton calls verified is left out, and nothing else.
#[test]
fn automata_of_conditions_are_followed() {
    let source = "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
        if (x) y = 1; else y = y & 1; if (y == 5) reach_error(); if (y == ERROR) reach_error(); }";
    // Only the branch in which x is true can make y == 1; only the other one y == 0.
    for (error, verified, violated) in [("1 && x", true, false), ("0", true, true), ("0", false, false)] {
        let program = load(&format!("{HEAD}{}", source.replace("ERROR", error)));
        let (analyses, goals) = (Analyses::new(&program), unreachable());
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        let mut condition = Condition::nothing(&program, &goals);
        condition.covered.push(Part::Automaton(first_branch_verified(&program, verified)));
        let condition = Some(&condition);
        let task = Task { program: &program, analyses: &analyses, goals: &goals, condition, budget: &budget };
        let findings = engines::bmc::run(task, &Options::default());
        assert_eq!(is_false(&findings), violated, "{error} {verified}");
        assert_eq!(matches!(findings.outcome, Outcome::True), !violated, "{error} {verified}");
    }
}

/// The automaton that calls verified what follows one outcome of the first branch.
fn first_branch_verified(program: &cfa::Program, outcome: bool) -> Automaton {
    let is_branch =
        |kind: cfa::EdgeKind| matches!(kind, cfa::EdgeKind::Assume { truth, .. } if truth == outcome);
    let (edge, _) = program.edges.enumerated().find(|(_, edge)| is_branch(edge.kind)).unwrap();
    let transition = Transition {
        edge: EdgeName::of(program, edge),
        callee: None,
        target: Target::Verified,
        assumption: None,
    };
    let states = vec![AutomatonState { transitions: vec![transition] }];
    Automaton { start: Target::State(0), states, open: Vec::new() }
}

/// Something that is not modelled lies on the way: a violation is found, but nothing else holds.
#[test]
fn nothing_holds_beside_something_that_is_not_modelled() {
    let source = "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 1) reach_error();
        if (x == 2) { __asm__ volatile (\"int $3\"); } if (x == 7 && x == 8) reach_error(); }";
    let options = Options { all_properties: true, ..Options::default() };
    let findings = run(source, &options, None);
    assert!(is_false(&findings), "{findings:?}");
    let holds = |property: &PropertyVerdict| matches!(property.status, Status::Holds);
    assert!(!findings.properties.iter().any(holds), "{findings:?}");
}
