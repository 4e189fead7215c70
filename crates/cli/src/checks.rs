//! `--check`: what `verify` looks for beside the property.

use clap::ValueEnum;
use task::Goal;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Check {
    /// Signed overflow
    Overflow,
    /// Division or remainder by zero
    Division,
    /// Indices outside of their arrays
    Bounds,
    /// Access through null, to dead objects, outside of objects
    Pointer,
    /// Freeing what is not, or no more, allocated
    Free,
    /// Memory that is still allocated at the end
    Leak,
    /// Shift counts that are negative or too large
    Shift,
    /// Reading what was never written
    Uninitialised,
}

impl Check {
    pub fn goal(self) -> Goal {
        match self {
            Check::Overflow => Goal::NoOverflow,
            Check::Division => Goal::ValidDivision,
            Check::Bounds => Goal::ValidIndex,
            Check::Pointer => Goal::ValidDereference,
            Check::Free => Goal::ValidFree,
            Check::Leak => Goal::ValidMemoryCleanup,
            Check::Shift => Goal::ValidShift,
            Check::Uninitialised => Goal::Initialised,
        }
    }
}

/// The goals of a property, and those of the checks that it does not have already.
pub fn add(goals: &mut Vec<Goal>, checks: &[Check]) {
    for check in checks {
        let goal = check.goal();
        if !goals.contains(&goal) {
            goals.push(goal);
        }
    }
}

/// Nothing is said about a property that no engine checks.
pub fn refuse_unknown_goals(goals: &[Goal]) -> Result<(), String> {
    let checked = |goal: &&Goal| {
        !matches!(goal, Goal::DefinedBehavior | Goal::NoDataRace | Goal::Termination | Goal::Cover(_))
    };
    match goals.iter().find(|goal| !checked(goal)) {
        Some(goal) => Err(format!("the property '{goal}' is not checked yet")),
        None => Ok(()),
    }
}
