//! The engines against each other: of a random program that does not end, no two may say different things.

mod generator;
mod support;

use base::Budget;
use engines::{Analyses, Options, Outcome, Task};
use generator::Generator;
use std::time::Duration;
use support::{ENGINES, load, unreachable};

const ENOUGH: Duration = Duration::from_millis(400);

#[test]
fn engines_agree_on_endless_programs() {
    let goals = unreachable();
    let (mut proved, mut refuted) = (0, 0);
    let sources = (0..30).map(Generator::endless_program).chain((0..15).map(Generator::stack_program));
    for source in sources {
        let program = load(&source);
        let analyses = Analyses::new(&program);
        let mut said: Option<(&str, bool)> = None;
        for (engine, run) in ENGINES {
            let budget = Budget::unlimited().with_time(ENOUGH);
            let task = Task {
                program: &program,
                analyses: &analyses,
                goals: &goals,
                condition: None,
                budget: &budget,
            };
            let findings = run(task, &Options::default());
            let is_safe = match findings.outcome {
                Outcome::True => true,
                Outcome::False { .. } => false,
                Outcome::Unknown { .. } => continue,
            };
            if let Some((other, before)) = said {
                assert_eq!(is_safe, before, "{engine} and {other} differ:\n{source}");
            }
            if is_safe && findings.proof.is_some() {
                let unlimited = Budget::unlimited();
                let checked = engines::proof::check(
                    Task { budget: &unlimited, ..task },
                    &Options::default(),
                    &findings,
                );
                assert!(checked.is_ok(), "{engine}: {checked:?}\n{source}");
            }
            said = Some((engine, is_safe));
            *(if is_safe { &mut proved } else { &mut refuted }) += 1;
        }
    }
    assert!(proved > 10 && refuted > 10, "{proved} proved, {refuted} refuted");
}
