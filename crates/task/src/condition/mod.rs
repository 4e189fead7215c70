//! Conditions: what has been verified, and hence what is still open.
//!
//! Every engine hands one in when it stops, and takes one up to go on from there. A condition names
//! *parts* of the program's executions; each part has been shown to be free of violations, and so is
//! their union. Two kinds of parts are enough for all engines:
//! - [`LoopBounds`]: executions that come back to loop heads only so often (bounded model checking);
//! - [`Automaton`]: the assumption automaton of "Conditional Model Checking" (Beyer, Henzinger, Keremoglu
//!   and Wendler, 2012), which follows an execution edge by edge and says from where on everything is
//!   verified (abstract reachability graphs).
//!
//! Conditions have three forms: text for people ([`text`]), JSON ([`json`]), and CPAchecker's automaton
//! language ([`cpachecker`]). Nothing that is read is trusted: sizes are limited, names are resolved
//! against the program, and a condition of another program is refused.

pub mod automaton;
pub mod cpachecker;
mod fingerprint;
pub mod json;
mod names;
pub mod text;

pub use automaton::{Automaton, AutomatonState, OpenPlace, Target, Transition};
pub use fingerprint::Fingerprint;
pub use names::{EdgeName, EdgeNames, edge_named, function_name, function_named};

use crate::Goal;
use cfa::Program;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What has been verified of one program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    pub program: Fingerprint,
    /// The goals that hold in the covered parts, as property files write them.
    pub goals: Vec<String>,
    /// What was taken for granted about the environment, in plain words.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// The executions that are verified: the union of these parts.
    pub covered: Vec<Part>,
}

/// A set of executions that is free of violations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    LoopBounds(LoopBounds),
    Automaton(Automaton),
}

/// All executions in which each loop, each time it is entered, comes back to its head at most so often, those
/// that are counted together in all, from the start of the program; and no function has more than so many
/// activations of itself below it on the call stack.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopBounds {
    /// For loops that have no bound of their own.
    pub every_loop: u32,
    /// By the loop's name, as `proviso cfa --loops` lists it.
    #[serde(default)]
    pub loops: BTreeMap<String, u32>,
    /// Loops that come back no more often than every loop may, taken together.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub together: BTreeSet<String>,
    pub recursion: u32,
}

/// Why something is not a condition of this program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConditionError {
    #[error("not a condition: {0}")]
    NotACondition(String),
    #[error("line {line}: {message}")]
    Syntax { line: usize, message: String },
    #[error("the condition is too large: {0}")]
    TooLarge(String),
    #[error("the condition is damaged: {0}")]
    Damaged(String),
    #[error("the condition is of another program (it says {found}, this one is {expected})")]
    OtherProgram { found: Fingerprint, expected: Fingerprint },
    #[error("the condition is about other properties ({found}), not {expected}")]
    OtherProperty { found: String, expected: String },
}

/// The largest text that is read.
pub const MAX_BYTES: usize = 256 << 20;
/// The longest name, expression or sentence in it.
pub const MAX_TEXT: usize = 1 << 16;

impl Condition {
    /// Nothing is verified yet.
    pub fn nothing(program: &Program, goals: &[Goal]) -> Self {
        let goals = goals.iter().map(goal_text).collect();
        Self { program: Fingerprint::of(program), goals, assumptions: Vec::new(), covered: Vec::new() }
    }

    /// Reads any of the forms.
    pub fn parse(input: &str, program: &Program) -> Result<Self, ConditionError> {
        if input.len() > MAX_BYTES {
            return Err(ConditionError::TooLarge(format!("{} bytes", input.len())));
        }
        let start = input.trim_start();
        let condition = if start.starts_with('{') {
            json::read(input)?
        } else if start.starts_with("OBSERVER AUTOMATON") {
            cpachecker::read(input, program)?
        } else {
            text::read(input)?
        };
        condition.check(program)?;
        Ok(condition)
    }

    /// The condition is of this program, and all that it names exists there.
    pub fn check(&self, program: &Program) -> Result<(), ConditionError> {
        let expected = Fingerprint::of(program);
        if self.program != expected {
            return Err(ConditionError::OtherProgram { found: self.program, expected });
        }
        let short = |text: &String| text.len() <= MAX_TEXT && !text.contains('\n');
        if !self.goals.iter().chain(&self.assumptions).all(short) {
            return Err(ConditionError::TooLarge("a sentence in it".into()));
        }
        self.covered.iter().try_for_each(|part| match part {
            Part::LoopBounds(bounds) => bounds.check(program),
            Part::Automaton(automaton) => automaton.check(program),
        })
    }

    /// The condition speaks about all of these goals.
    pub fn check_goals(&self, goals: &[Goal]) -> Result<(), ConditionError> {
        if goals.iter().all(|goal| self.goals.contains(&goal_text(goal))) {
            return Ok(());
        }
        let expected: Vec<String> = goals.iter().map(goal_text).collect();
        let (found, expected) = (self.goals.join(", "), expected.join(", "));
        Err(ConditionError::OtherProperty { found, expected })
    }

    /// Of the parts that bound loops the one that covers the most.
    pub fn largest_bounds(&self) -> Option<&LoopBounds> {
        let bounds = self.covered.iter().filter_map(|part| match part {
            Part::LoopBounds(bounds) => Some(bounds),
            Part::Automaton(_) => None,
        });
        bounds.max_by_key(|bounds| (bounds.every_loop, bounds.recursion))
    }

    /// Adds what another run, of the same program and goals, has verified.
    pub fn add(&mut self, other: Condition) {
        for assumption in other.assumptions {
            if !self.assumptions.contains(&assumption) {
                self.assumptions.push(assumption);
            }
        }
        self.assumptions.sort();
        for part in other.covered {
            if !self.covered.contains(&part) {
                self.covered.push(part);
            }
        }
    }
}

/// A goal such that no two different ones read the same.
fn goal_text(goal: &Goal) -> String {
    match goal {
        Goal::UnreachableCall(function) => format!("{goal} {function}()"),
        _ => goal.to_string(),
    }
}

impl LoopBounds {
    pub fn bound(&self, name: &str) -> u32 {
        self.loops.get(name).copied().unwrap_or(self.every_loop)
    }

    fn check(&self, program: &Program) -> Result<(), ConditionError> {
        if self.loops.is_empty() && self.together.is_empty() {
            return Ok(());
        }
        let loops = cfa::loops::Loops::new(program);
        let names: BTreeSet<&str> = loops.loops.iter().map(|l| l.name.as_str()).collect();
        match self.loops.keys().chain(&self.together).find(|name| !names.contains(name.as_str())) {
            Some(name) => Err(ConditionError::Damaged(format!("there is no loop '{}'", shortened(name)))),
            None => self.check_together(),
        }
    }

    /// A loop is counted in one way.
    fn check_together(&self) -> Result<(), ConditionError> {
        match self.together.iter().find(|name| self.loops.contains_key(*name)) {
            Some(name) => {
                Err(ConditionError::Damaged(format!("the loop '{}' is counted twice", shortened(name))))
            }
            None => Ok(()),
        }
    }
}

/// Enough of a text that came from outside to recognise it in a message.
fn shortened(text: &str) -> String {
    text.chars().take(60).map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests;
