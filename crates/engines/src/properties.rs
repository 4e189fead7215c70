//! Every place where a goal can be violated has its own verdict, when that is asked for.

use crate::bmc::error_functions;
use crate::counterexample::Counterexample;
use crate::outcome::{Outcome, PropertyVerdict, Status, Task};
use crate::unwind::{Target, Violation};
use cfa::{EdgeId, EdgeKind};
use std::collections::BTreeMap;
use task::Goal;

/// The places seen so far, with the run that violates them.
#[derive(Default)]
pub struct Properties {
    are_asked_for: bool,
    seen: BTreeMap<(EdgeId, Violation), Option<Counterexample>>,
    /// The first violation that was found.
    first: Option<(Goal, Counterexample)>,
}

impl Properties {
    pub fn new(task: &Task<'_>, are_asked_for: bool) -> Self {
        let mut properties = Self { are_asked_for, ..Self::default() };
        if are_asked_for {
            properties.add_error_calls(task);
        }
        properties
    }

    /// Calls of error functions count also where no path leads to.
    fn add_error_calls(&mut self, task: &Task<'_>) {
        let errors = error_functions(task.program, task.goals);
        for (id, edge) in task.program.edges.enumerated() {
            if matches!(edge.kind, EdgeKind::Call(_)) {
                let callees = task.analyses.points_to.callees(id).iter();
                let violations =
                    callees.filter(|function| errors.contains(function)).map(|&f| Violation::Call(f));
                self.seen.extend(violations.map(|violation| ((id, violation), None)));
            }
        }
    }

    /// Whether a violation has been found.
    pub fn has_violation(&self) -> bool {
        self.first.is_some()
    }

    pub fn see(&mut self, targets: &[Target]) {
        if self.are_asked_for {
            for target in targets {
                self.seen.entry((target.edge, target.violation)).or_default();
            }
        }
    }

    /// Whether a target is still to be looked at.
    pub fn is_open(&self, target: &Target) -> bool {
        !matches!(self.seen.get(&(target.edge, target.violation)), Some(Some(_)))
    }

    /// Every place has been found to be violated.
    pub fn is_complete(&self) -> bool {
        self.are_asked_for && self.seen.values().all(Option::is_some)
    }

    pub fn violated(&mut self, reached: &[Target], goal: Goal, run: Counterexample) {
        for target in reached {
            self.seen.insert((target.edge, target.violation), Some(run.clone()));
        }
        self.first.get_or_insert((goal, run));
    }

    /// What the violations found so far come to.
    pub fn take_outcome(&mut self) -> Option<Outcome> {
        let (goal, counterexample) = self.first.take()?;
        Some(Outcome::False { goal, counterexample })
    }

    /// The verdicts, and the outcome of all together. What is not violated holds if the search was complete.
    pub fn conclude(mut self, outcome: Outcome, complete: bool) -> (Outcome, Vec<PropertyVerdict>) {
        let complete = complete || matches!(outcome, Outcome::False { .. }) && self.are_asked_for;
        let outcome = self.take_outcome().unwrap_or(outcome);
        let verdict = |((edge, violation), run)| {
            let status = match run {
                Some(run) => Status::Violated(run),
                None if complete => Status::Holds,
                None => Status::Open,
            };
            PropertyVerdict { violation, edge, status }
        };
        (outcome, self.seen.into_iter().map(verdict).collect())
    }
}
