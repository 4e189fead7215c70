//! What the tests of the engines share.

#[allow(dead_code, reason = "not every test is about bounds")]
pub mod counter;
#[allow(dead_code, reason = "not every test is random")]
pub mod random;

use base::Budget;
use cfa::{Lives, Program};
use engines::{Analyses, Findings, Options, Outcome, Task, explicit, predicate};
use sema::types::DataModel;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use task::Goal;

pub type Engine = fn(Task<'_>, &Options) -> Findings;

#[allow(dead_code, reason = "not every test is about all of them")]
pub const ENGINES: [(&str, Engine); 4] = [
    ("bmc", engines::bmc::run),
    ("kinduction", engines::kinduction::run),
    ("explicit", |task, _| explicit::run(task, &explicit::Options::default()).0),
    ("predicate", |task, options| predicate::run(task, &predicate::Options::default(), options).0),
];

#[allow(dead_code, reason = "not every test brings its own programs")]
/// A program from C text that needs no preprocessing.
pub fn load(source: &str) -> Program {
    load_with(source, DataModel::Lp64, Lives::default())
}

#[allow(dead_code, reason = "not every test makes its programs up")]
/// A program that was made up: every other one has short addresses.
pub fn load_random(source: &str, seed: u64) -> Program {
    let data_model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    load_with(source, data_model, Lives::default())
}

#[allow(dead_code, reason = "not every test brings its own programs")]
pub fn load_with(source: &str, data_model: DataModel, lives: Lives) -> Program {
    load_as(source, frontend::Options { lives, ..frontend::Options::new(Vec::new(), data_model) })
}

#[allow(dead_code, reason = "not every test brings its own programs")]
pub fn load_as(source: &str, options: frontend::Options) -> Program {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("proviso-engines-{}-{}.c", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, source).expect("the temporary folder can be written to");
    let loaded = frontend::load(&frontend::Options { files: vec![path.clone()], ..options });
    let _ = std::fs::remove_file(path);
    loaded.unwrap_or_else(|error| panic!("{error}\n{source}")).program
}

/// Bounded model checking says what is expected, the other engines that or nothing.
#[allow(dead_code, reason = "not every test asks all engines")]
pub fn check_engines(program: &Program, goals: &[Goal], expected: &str, what: &str) {
    let analyses = Analyses::new(program);
    for (name, engine) in ENGINES {
        let budget = Budget::unlimited().with_time(Duration::from_secs(30));
        let task = Task { program, analyses: &analyses, goals, condition: None, budget: &budget };
        let findings = engine(task, &Options::default());
        let verdict = match findings.outcome {
            Outcome::True => "TRUE",
            Outcome::False { .. } => "FALSE",
            Outcome::Unknown { .. } => "UNKNOWN",
        };
        let is_open = verdict == "UNKNOWN" && name != "bmc";
        assert!(verdict == expected || is_open, "{name}: {findings:?}\n{what}");
    }
}

/// `reach_error` is never called.
pub fn unreachable() -> Vec<Goal> {
    vec![Goal::UnreachableCall("reach_error".into())]
}
