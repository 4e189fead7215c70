//! Transitions of condition automata that say what must hold behind an edge.

mod support;

use base::Budget;
use cfa::{EdgeKind, Program};
use engines::{Analyses, Outcome, Task, explicit};
use std::time::Duration;
use support::{load, unreachable};
use task::Condition;
use task::condition::{Automaton, AutomatonState, EdgeName, Part, Target, Transition};

const SOURCE: &str = "int __VERIFIER_nondet_int(void); void reach_error(void); unsigned u = 7;
    int main(void) { int x = 4; int input = __VERIFIER_nondet_int();
    if (input == 1) { x = BAD; }
    if (__VERIFIER_nondet_int()) { if (x == BAD) { reach_error(); } }
    return x; }";

/// Says that all behind the branches of a line is verified, under an assumption.
fn given(program: &Program, line: u32, assumption: Option<&str>) -> Condition {
    let edges =
        program.edges.ids().filter(|&edge| matches!(program.edges[edge].kind, EdgeKind::Assume { .. }));
    let transition = |edge| {
        let edge = EdgeName::of(program, edge);
        let is_there = edge.line == line;
        let target = if is_there { Target::Verified } else { Target::State(0) };
        let assumption = assumption.filter(|_| is_there).map(Into::into);
        Transition { edge, callee: None, target, assumption }
    };
    let states = vec![AutomatonState { transitions: edges.map(transition).collect() }];
    let mut condition = Condition::nothing(program, &unreachable());
    condition.covered.push(Part::Automaton(Automaton { start: Target::State(0), states, open: Vec::new() }));
    condition.check(program).expect("it is one of the program");
    condition
}

fn is_found(bad: &str, assumption: Option<&str>) -> bool {
    let program = load(&SOURCE.replace("BAD", bad));
    let (analyses, goals) = (Analyses::new(&program), unreachable());
    let (budget, condition) =
        (Budget::unlimited().with_time(Duration::from_secs(60)), given(&program, 4, assumption));
    let task = Task {
        program: &program,
        analyses: &analyses,
        goals: &goals,
        condition: Some(&condition),
        budget: &budget,
    };
    match explicit::run(task, &explicit::Options::default()).0.outcome {
        Outcome::True => false,
        Outcome::False { .. } => true,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_an_assumption_covers_is_not_looked_at() {
    assert!(!is_found("5", None));
    for covering in
        ["x == 5", "x > 4 && !(x >= 6)", "x * 2 + 1 == 11", "(x) != 4 && u == 7", "-x == -5 || x / 0"]
    {
        assert!(!is_found("5", Some(covering)), "{covering}");
    }
}

#[test]
fn what_an_assumption_does_not_cover_is_found() {
    let others =
        ["x == 4", "x < 5", "u == 8 && x == 5", "input == 3", "nothing == 5", "x = 5", "f(x)", "x == 5;", ""];
    for other in others.into_iter().chain([
        "x == 5 &&",
        "((x == 5)",
        "-u < x",
        "x - 6 < u",
        "x / 0",
        "x == 99999999999",
    ]) {
        assert!(is_found("5", Some(other)), "{other}");
    }
}
