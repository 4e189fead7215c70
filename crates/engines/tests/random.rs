//! The engines against brute force: random programs with a few small inputs are executed on all of
//! them, and the verdict must be what the runs say.

mod generator;
mod support;

use base::Budget;
use engines::{Analyses, Options, Outcome, Task};
use replay::{Ending, List};
use std::time::Duration;
use support::{load, unreachable};

use generator::{Generator, INPUTS, VALUES};

/// Whether some inputs lead to the error; `None` if a run ends in a way that says nothing.
fn brute_force(program: &cfa::Program) -> Option<bool> {
    let mut reached = false;
    for number in 0..VALUES.pow(INPUTS) {
        let values = (0..INPUTS).map(|input| u128::from(number / VALUES.pow(input) % VALUES));
        let options = replay::Options { step_limit: 100_000, ..replay::Options::default() };
        match replay::run(program, &mut List::of_bits(values), &options, &mut replay::Silent).ending {
            Ending::Exit(_) => {}
            Ending::ErrorCall { .. } => reached = true,
            _ => return None,
        }
    }
    Some(reached)
}

#[test]
fn verdicts_are_what_all_runs_say() {
    let goals = unreachable();
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..300 {
        let source = Generator::program(seed);
        let program = load(&source);
        let Some(reached) = brute_force(&program) else { continue };
        let analyses = Analyses::new(&program);
        let budget = Budget::unlimited().with_time(Duration::from_secs(5));
        let task =
            Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
        let bmc = engines::bmc::run(task, &Options::default()).outcome;
        let induction = engines::kinduction::run(task, &Options::default()).outcome;
        let combination = engines::combination::run(task, &Options::default()).0.outcome;
        for (engine, outcome) in [("bmc", bmc), ("kinduction", induction), ("combination", combination)] {
            match outcome {
                Outcome::True => {
                    assert!(!reached, "{engine} proves what is wrong:\n{source}");
                    proved += 1;
                }
                Outcome::False { .. } => {
                    assert!(reached, "{engine} refutes what is right:\n{source}");
                    refuted += 1;
                }
                Outcome::Unknown { reason, .. } => panic!("{engine}: {reason:?}\n{source}"),
            }
        }
    }
    assert!(proved > 20 && refuted > 20, "{proved} proved, {refuted} refuted");
}
