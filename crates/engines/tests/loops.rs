//! The suite of small loop programs in `tests/loops`: what is safe is proved, with a proof that is checked,
//! and what is not is found. A part of it runs here; `cargo run --release -p proviso-bench --bin loops` runs all.

mod support;

use base::Budget;
use engines::predicate::{Options, RefinementKind};
use engines::{Analyses, Outcome, Task};
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{load, unreachable};

/// One of so many safe programs is run here.
const STRIDE: usize = 3;

fn programs(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/loops").join(kind);
    let entries = std::fs::read_dir(folder).expect("the suite is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    files.sort();
    files
}

/// Whether the program is safe; a proof must pass its check.
fn is_safe(file: &Path, refinement: RefinementKind, seconds: u64) -> Option<bool> {
    verify(file, refinement, seconds).0
}

/// The verdict, and the predicates that were used.
fn verify(file: &Path, refinement: RefinementKind, seconds: u64) -> (Option<bool>, Vec<String>) {
    let program = load(&std::fs::read_to_string(file).expect("the program can be read"));
    let analyses = Analyses::new(&program);
    let budget = Budget::unlimited().with_time(Duration::from_secs(seconds));
    let goals = unreachable();
    let task =
        Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    let unwinding = engines::Options::default();
    let (findings, statistics) =
        engines::predicate::run(task, &Options { refinement, ..Options::default() }, &unwinding);
    let verdict = match findings.outcome {
        Outcome::True => {
            let checked = engines::proof::check(task, &unwinding, &findings);
            assert!(checked.is_ok(), "{}: {checked:?} {findings:?}", file.display());
            Some(true)
        }
        Outcome::False { .. } => Some(false),
        Outcome::Unknown { .. } => None,
    };
    (verdict, statistics.texts.into_iter().map(|(_, text)| text).collect())
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/loops/safe").join(name).with_extension("c")
}

#[test]
fn safe_programs_are_proved() {
    let all = programs("safe");
    assert!(all.len() >= 60, "the suite is complete");
    let open: Vec<String> = all
        .iter()
        .step_by(STRIDE)
        .filter(|file| is_safe(file, RefinementKind::Core, 120) != Some(true))
        .map(|file| file.display().to_string())
        .collect();
    assert!(open.is_empty(), "not proved: {open:?}");
}

#[test]
fn errors_are_found() {
    for file in programs("unsafe") {
        assert_eq!(is_safe(&file, RefinementKind::Core, 120), Some(false), "{}", file.display());
    }
}

/// Interpolants prove what needs few values, and are never wrong elsewhere.
#[test]
fn interpolation_agrees() {
    let interpolation = RefinementKind::Interpolation;
    let mut proved = 0;
    for file in programs("safe").iter().step_by(2 * STRIDE) {
        let verdict = is_safe(file, interpolation, 1);
        assert_ne!(verdict, Some(false), "{}", file.display());
        proved += usize::from(verdict == Some(true));
    }
    assert!(proved > 0, "interpolation proves nothing");
    for file in programs("unsafe") {
        assert_ne!(is_safe(&file, interpolation, 5), Some(true), "{}", file.display());
    }
    for name in ["flag_lock", "flag_alternating", "machine_traffic", "wrap_mask"] {
        assert_eq!(is_safe(&program(name), interpolation, 120), Some(true), "{name}");
    }
}

/// The policy: where a relation does it, no predicate says which iteration it is.
#[test]
fn relations_are_preferred_to_counting() {
    for name in ["two_equal", "two_double", "relation_two_and_three", "wrap_multiple_of_four"] {
        let (verdict, predicates) = verify(&program(name), RefinementKind::Core, 120);
        assert_eq!(verdict, Some(true), "{name}");
        let is_small = |text: &String| (2..9).any(|value| text.ends_with(&format!("== {value}u")));
        assert!(!predicates.iter().any(is_small), "{name}: {predicates:?}");
    }
}
