//! What the components of a composite see of a path: its steps, and what is known about values.
//!
//! Components do not know each other. Which functions a call enters and where a path goes is found out by
//! the values; all others are told.

use crate::interval::Interval;
use cfa::{EdgeId, FunctionId, LocationId, VariableId};

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Take(Taken),
    /// A function is left, and the path goes on behind the call.
    Leave,
    /// The path has come to a location.
    Arrive(LocationId),
    /// The property is violated.
    Error,
}

/// An edge that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    pub edge: EdgeId,
    pub from: LocationId,
    pub to: LocationId,
    /// The function with a body that is entered.
    pub enters: Option<FunctionId>,
    pub decision: Decision,
    /// What the user would call a statement.
    pub is_statement: bool,
}

/// Whether the path might have gone elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    None,
    /// One of several edges.
    Branch,
    /// The function that a call through a pointer enters.
    Callee(FunctionId),
}

/// What is known about values, for components that ask.
pub trait Facts {
    /// The value of an integer variable, if it is known.
    fn number(&self, variable: VariableId) -> Option<i128>;
}

/// What is known about the operands of operations.
pub trait Ranges {
    type Operand: Copy;

    /// What an integer operand can be; `None` if nothing is known, not even its type.
    fn range(&mut self, operand: Self::Operand) -> Option<Interval>;
}
