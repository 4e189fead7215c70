//! The default: engines one after the other, each with what the last one has left open.
//!
//! Induction gets a short turn first, as most programs need no more; explicit values then have a share
//! of the time, and induction the rest.

use crate::options::Options;
use crate::outcome::{Findings, Outcome, Reason, Task};
use crate::{explicit, kinduction};
use base::Budget;
use std::time::Duration;
use task::Condition;
use task::condition::Part;

/// The first turn of induction.
const FIRST: Duration = Duration::from_secs(2);

/// The part of the time that is left which explicit values may have.
const SHARE: f64 = 0.4;

/// What explicit values may have if the time is not limited.
const LONGEST: Duration = Duration::from_secs(300);

/// A condition that is larger costs the next engine more than it saves.
const MOST_STATES: usize = 1000;
const MOST_NODES: usize = 50_000;

/// What the last engine has found, and what had been verified before it.
pub fn run(task: Task<'_>, options: &Options) -> (Findings, Option<Condition>) {
    let so_far = || task.condition.cloned();
    let first = kinduction::run(Task { budget: &turn(task.budget, FIRST), ..task }, options);
    if is_decided(&first) || options.max_unwind.is_some() || task.budget.check_now().is_err() {
        return (first, so_far());
    }
    let share = task.budget.remaining().map_or(LONGEST, |left| left.mul_f64(SHARE));
    let small = explicit::Options { condition_nodes: MOST_NODES, ..explicit::Options::default() };
    let (second, _) = explicit::run(Task { budget: &turn(task.budget, share), ..task }, &small);
    if is_decided(&second) {
        return (second, so_far());
    }
    let condition = verified(task, [first, second]);
    if let Err(reason) = task.budget.check_now() {
        let reason = Reason::Stopped(reason);
        return (Findings::new(Outcome::Unknown { reason }), Some(condition));
    }
    let third = kinduction::run(Task { condition: Some(&condition), ..task }, options);
    (third, Some(condition))
}

fn turn(budget: &Budget, time: Duration) -> Budget {
    budget.clone().with_time(time)
}

fn is_decided(findings: &Findings) -> bool {
    !matches!(findings.outcome, Outcome::Unknown { .. })
}

/// What was verified before, and by these runs.
fn verified<const N: usize>(task: Task<'_>, runs: [Findings; N]) -> Condition {
    let nothing = || Condition::nothing(task.program, task.goals);
    let mut condition = task.condition.cloned().unwrap_or_else(nothing);
    for run in runs {
        let covered = run.covered.into_iter().filter(is_small).collect();
        condition.add(Condition { assumptions: run.assumptions, covered, ..nothing() });
    }
    condition
}

fn is_small(part: &Part) -> bool {
    match part {
        Part::LoopBounds(_) => true,
        Part::Automaton(automaton) => automaton.states.len() <= MOST_STATES,
    }
}
