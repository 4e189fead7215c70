//! Bounds of loops taken up by the engine `explicit`: what they cover is not looked at, all else is. What is
//! covered is decided anew here, by counting along every run.

mod generator;
mod support;

use base::Budget;
use cfa::Program;
use cfa::loops::Loops;
use engines::{Analyses, Findings, Outcome, Task, bmc, explicit};
use generator::{Generator, INPUTS, VALUES};
use replay::{Ending, List};
use std::time::Duration;
use support::counter::Counter;
use support::random::Random;
use support::{load, unreachable};
use task::condition::Part;
use task::{Condition, LoopBounds};

fn explicit(program: &Program, condition: Option<&Condition>) -> Findings {
    let budget = Budget::unlimited().with_time(Duration::from_secs(5));
    let (analyses, goals) = (Analyses::new(program), unreachable());
    let mut options = explicit::Options::default();
    options.limits.add("states=5000").expect("a limit");
    let task = Task { program, analyses: &analyses, goals: &goals, condition, budget: &budget };
    explicit::run(task, &options).0
}

/// With all the states that it needs, and less precision if it needs too many.
fn unlimited(program: &Program, condition: Option<&Condition>) -> Findings {
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let (analyses, goals) = (Analyses::new(program), unreachable());
    let task = Task { program, analyses: &analyses, goals: &goals, condition, budget: &budget };
    explicit::run(task, &explicit::Options::default()).0
}

fn bounded(program: &Program, bound: u32) -> Findings {
    let budget = Budget::unlimited().with_time(Duration::from_secs(5));
    let (analyses, goals) = (Analyses::new(program), unreachable());
    let task = Task { program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    bmc::run(task, &engines::Options { max_unwind: Some(bound), ..engines::Options::default() })
}

/// Whether there are runs to the error at all, and whether there are some beyond the bounds.
fn brute_force(program: &Program, bounds: &LoopBounds) -> Option<(bool, bool)> {
    let (loops, mut found) = (Loops::new(program), (false, false));
    for number in 0..VALUES.pow(INPUTS) {
        let values = (0..INPUTS).map(|input| u128::from(number / VALUES.pow(input) % VALUES));
        let options = replay::Options { step_limit: 100_000, ..replay::Options::default() };
        let mut counter = Counter::new(program, &loops, bounds);
        match replay::run(program, &mut List::of_bits(values), &options, &mut counter).ending {
            Ending::Exit(_) => {}
            Ending::ErrorCall { .. } => found = (true, found.1 || counter.beyond),
            _ => return None,
        }
    }
    Some(found)
}

fn check(outcome: &Outcome, reached: bool, source: &str) {
    match outcome {
        Outcome::True => assert!(!reached, "proves what is wrong:\n{source}"),
        Outcome::False { .. } => assert!(reached, "refutes what is right:\n{source}"),
        Outcome::Unknown { .. } => {}
    }
}

/// The engine is told that bounds are covered, whether they are or not: it must then find a violation
/// exactly if there is one beyond them.
#[test]
fn what_bounds_cover_is_not_looked_at_and_all_else_is() {
    let (mut random, mut excluded, mut beyond) = (Random(3), 0, 0);
    for seed in 0..300 {
        let source = Generator::program(seed);
        let program = load(&source);
        let mut bounds =
            LoopBounds { every_loop: random.below(3), recursion: random.below(3), ..LoopBounds::default() };
        let loops = Loops::new(&program);
        for info in loops.loops.iter() {
            match random.below(6) {
                0 | 1 => drop(bounds.loops.insert(info.name.clone(), random.below(4))),
                2 | 3 => drop(bounds.together.insert(info.name.clone())),
                _ => {}
            }
        }
        let Some((reached, reached_beyond)) = brute_force(&program, &bounds) else { continue };
        let mut given = Condition::nothing(&program, &unreachable());
        given.covered.push(Part::LoopBounds(bounds.clone()));
        let outcome = explicit(&program, Some(&given)).outcome;
        check(&outcome, reached_beyond, &format!("{bounds:?}\n{source}"));
        excluded += u32::from(reached && matches!(outcome, Outcome::True));
        beyond += u32::from(matches!(outcome, Outcome::False { .. }));
    }
    assert!(excluded > 10 && beyond > 5, "{excluded} covered, {beyond} beyond the bounds");
}

/// Where bounded model checking has come to its bound, explicit values come to the verdict that they come
/// to alone.
#[test]
fn nothing_is_lost_between_bounded_model_checking_and_explicit_values() {
    let mut taken_up = 0;
    for seed in 400..520 {
        let source = Generator::program(seed);
        let program = load(&source);
        let Some((reached, _)) = brute_force(&program, &LoopBounds::default()) else { continue };
        let first = bounded(&program, (seed % 3) as u32);
        let (Outcome::Unknown { .. }, Some(part)) = (&first.outcome, first.covered) else { continue };
        let mut given = Condition::nothing(&program, &unreachable());
        given.covered.push(part);
        let (alone, mut second) =
            (explicit(&program, None).outcome, explicit(&program, Some(&given)).outcome);
        check(&second, reached, &source);
        let decided = !matches!(alone, Outcome::Unknown { .. });
        if decided && matches!(second, Outcome::Unknown { .. }) {
            // An alarm that has led to more precision may be covered.
            second = unlimited(&program, Some(&given)).outcome;
        }
        let same = std::mem::discriminant(&alone) == std::mem::discriminant(&second);
        assert!(same || !decided, "{alone:?} {second:?}\n{source}");
        taken_up += u32::from(decided);
    }
    assert!(taken_up > 3, "only {taken_up} were taken up");
}

#[test]
fn a_loop_is_counted_each_time_it_is_entered() {
    let source = "int __VERIFIER_nondet_int(void); void reach_error(void); int total;
        static void inner(void) { for (int i = 0; i < 2; i++) { total++; } }
        int main(void) { for (int k = 0; k < 3; k++) { inner(); }
        if (total == 6) reach_error(); return 0; }";
    let program = load(source);
    // The inner loop comes back six times in all, but never more than twice in a row.
    for (outer, covered) in [(2, false), (3, true)] {
        let mut given = Condition::nothing(&program, &unreachable());
        let loops = [("inner:2".to_string(), 2), ("main:3".to_string(), outer)].into();
        given.covered.push(Part::LoopBounds(LoopBounds { loops, ..LoopBounds::default() }));
        given.check(&program).expect("the loops are called so");
        let outcome = explicit(&program, Some(&given)).outcome;
        assert_eq!(matches!(outcome, Outcome::True), covered, "{outcome:?}");
        assert_eq!(matches!(outcome, Outcome::False { .. }), !covered, "{outcome:?}");
    }
}
