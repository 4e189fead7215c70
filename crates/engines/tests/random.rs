//! The engines against brute force: random programs with a few small inputs are executed on all of
//! them, and the verdict must be what the runs say.

mod brute_force;
mod generator;
mod support;

use base::Budget;
use engines::{Analyses, Options, Outcome, Task};
use std::time::Duration;
use support::{load_random, unreachable};

use brute_force::brute_force;
use generator::Generator;

#[test]
fn verdicts_are_what_all_runs_say() {
    let goals = unreachable();
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..300 {
        let source = Generator::program(seed);
        let program = load_random(&source, seed);
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
