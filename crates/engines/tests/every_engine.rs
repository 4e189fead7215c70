//! Programs of which no engine may say anything else than what is so, and some engine must say it.

mod support;

use base::Budget;
use engines::{Analyses, Options, Outcome, Task};
use sema::types::DataModel;
use std::time::Duration;
use support::{ENGINES, load_with, unreachable};
use task::Goal;

const HEAD: &str = "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);
    unsigned char __VERIFIER_nondet_uchar(void); char __VERIFIER_nondet_char(void);
    void reach_error(void); void *malloc(unsigned long); void free(void *);\n";

fn verdict(outcome: &Outcome) -> Option<bool> {
    match outcome {
        Outcome::True => Some(true),
        Outcome::False { .. } => Some(false),
        Outcome::Unknown { .. } => None,
    }
}

fn check_for(model: DataModel, goals: &[Goal], source: &str, expected: bool) {
    let source = format!("{HEAD}{source}");
    let program = load_with(&source, model, task::lives(goals));
    let analyses = Analyses::new(&program);
    let options = Options { max_unwind: Some(40), ..Options::default() };
    let mut said = 0;
    for (name, engine) in ENGINES {
        let budget = Budget::unlimited().with_time(Duration::from_secs(20));
        let task = Task { program: &program, analyses: &analyses, goals, condition: None, budget: &budget };
        let findings = engine(task, &options);
        let given = verdict(&findings.outcome);
        assert!(given.is_none_or(|given| given == expected), "{name}: {findings:?}\n{source}");
        said += usize::from(given.is_some());
    }
    assert!(said > 0, "no engine says {expected}\n{source}");
}

fn check(source: &str, expected: bool) {
    check_for(DataModel::Lp64, &unreachable(), source, expected);
}

#[test]
fn library_functions_may_be_declared_otherwise() {
    check("int floor(int x); int main(void) { if (floor(3) == 77) reach_error(); }", false);
}

#[test]
fn there_are_arguments_of_main() {
    check("int main(int argc, char **argv) { if (argc < 0 || !argv) reach_error(); }", true);
    check("int main(int argc, char **argv) { if (argc > 2) reach_error(); }", false);
}

#[test]
fn a_program_may_have_no_variables() {
    check("void main(void) { while (__VERIFIER_nondet_int()) { } }", true);
}
