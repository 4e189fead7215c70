//! How a run ends.
//!
//! Every way out of the program is a value: the verdict FALSE is made from the error call, the failed
//! assertion or the [`Violation`] that stands here, and everything else says why there is none.

use base::{Span, StopReason};
use cfa::FunctionId;
use std::fmt;

/// Why the run is over.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// `exit` was called, or `main` returned.
    Exit(i32),
    /// `abort`, or a trap of the machine that is no violation.
    Aborted(Span),
    /// One of the error functions was called.
    ErrorCall {
        function: FunctionId,
        name: String,
        span: Span,
    },
    /// `assert` and its relatives.
    AssertionFailed {
        message: String,
        span: Span,
    },
    Violation(Violation),
    /// The condition of a single assume edge (`__VERIFIER_assume`) did not hold.
    AssumptionViolated(Span),
    /// There was no value for an input, and the options do not make up one.
    InputsExhausted(Span),
    /// The call stack is deeper than the options allow.
    StackOverflow(Span),
    StepLimit,
    /// The budget ran out.
    Stopped(StopReason),
    /// The program does something that is not modelled.
    Unsupported {
        message: String,
        span: Span,
    },
    NoMain,
}

/// What the program did that C does not allow.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    pub kind: ViolationKind,
    pub detail: String,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ViolationKind {
    SignedOverflow,
    DivisionByZero,
    InvalidDereference,
    IndexOutOfRange,
    InvalidFree,
    ShiftOutOfRange,
    UninitialisedUse,
    MemoryLeak,
}

impl ViolationKind {
    pub fn name(self) -> &'static str {
        match self {
            ViolationKind::SignedOverflow => "signed overflow",
            ViolationKind::DivisionByZero => "division by zero",
            ViolationKind::InvalidDereference => "invalid dereference",
            ViolationKind::IndexOutOfRange => "index out of range",
            ViolationKind::InvalidFree => "invalid free",
            ViolationKind::ShiftOutOfRange => "shift out of range",
            ViolationKind::UninitialisedUse => "use of an uninitialised value",
            ViolationKind::MemoryLeak => "memory leak",
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.detail)
    }
}

impl Ending {
    /// Where in the program it happened.
    pub fn span(&self) -> Option<Span> {
        match self {
            Ending::Aborted(span)
            | Ending::ErrorCall { span, .. }
            | Ending::AssertionFailed { span, .. }
            | Ending::Violation(Violation { span, .. })
            | Ending::AssumptionViolated(span)
            | Ending::InputsExhausted(span)
            | Ending::StackOverflow(span)
            | Ending::Unsupported { span, .. } => Some(*span),
            Ending::Exit(_) | Ending::StepLimit | Ending::Stopped(_) | Ending::NoMain => None,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Exit(status) => write!(f, "exit status {status}"),
            Ending::Aborted(_) => write!(f, "aborted"),
            Ending::ErrorCall { name, .. } => write!(f, "error call {name}"),
            Ending::AssertionFailed { message, .. } => write!(f, "assertion failed: {message}"),
            Ending::Violation(violation) => violation.fmt(f),
            Ending::AssumptionViolated(_) => write!(f, "assumption violated"),
            Ending::InputsExhausted(_) => write!(f, "inputs exhausted"),
            Ending::StackOverflow(_) => write!(f, "stack overflow"),
            Ending::StepLimit => write!(f, "step limit"),
            Ending::Stopped(reason) => write!(f, "stopped: {reason}"),
            Ending::Unsupported { message, .. } => write!(f, "unsupported: {message}"),
            Ending::NoMain => write!(f, "the program has no main function"),
        }
    }
}

/// How much a run did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Steps {
    /// Edges taken.
    pub edges: u64,
    /// Calls of functions that the program defines.
    pub calls: u64,
    pub library_calls: u64,
    pub inputs: u64,
    /// Calls of `malloc` and its relatives.
    pub allocations: u64,
    /// Objects that were created, locals in registers aside.
    pub objects: u64,
    pub deepest_stack: u64,
}

/// What [`run`](crate::run) gives back.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    pub ending: Ending,
    pub steps: Steps,
}
