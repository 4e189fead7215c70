//! What engines are given, and what they hand in.

use crate::counterexample::Counterexample;
use crate::unwind::Violation;
use base::{Budget, StopReason};
use cfa::loops::Loops;
use cfa::pointsto::PointsTo;
use cfa::weak_order::WeakOrder;
use cfa::{EdgeId, Program};
use invariants::LoopFacts;
use smt::SolverError;
use task::condition::Part;
use task::{Condition, Goal};

/// What an engine has to do.
#[derive(Clone, Copy)]
pub struct Task<'p> {
    pub program: &'p Program,
    pub analyses: &'p Analyses,
    pub goals: &'p [Goal],
    /// What need not be looked at again.
    pub condition: Option<&'p Condition>,
    pub budget: &'p Budget,
}

/// What is known of a program before an engine looks at it.
pub struct Analyses {
    pub points_to: PointsTo,
    pub loops: Loops,
    pub order: WeakOrder,
}

impl Analyses {
    pub fn new(program: &Program) -> Self {
        let loops = Loops::new(program);
        let order = WeakOrder::new(program, &loops);
        Self { points_to: PointsTo::compute(program), loops, order }
    }
}

/// All that a run has found out.
#[derive(Debug)]
pub struct Findings {
    pub outcome: Outcome,
    /// Why it is true, if it is.
    pub proof: Option<Proof>,
    /// What was verified, where the outcome is not known.
    pub covered: Option<Part>,
    /// What was taken for granted about the environment.
    pub assumptions: Vec<String>,
    /// Each place where a goal could be violated; only when every one is asked for.
    pub properties: Vec<PropertyVerdict>,
}

impl Findings {
    pub fn new(outcome: Outcome) -> Self {
        Self { outcome, proof: None, covered: None, assumptions: Vec::new(), properties: Vec::new() }
    }
}

/// What is known of the program when the engine ends.
#[derive(Debug)]
pub enum Outcome {
    True,
    False {
        goal: Goal,
        counterexample: Counterexample,
    },
    /// Why it is not more.
    Unknown {
        reason: Reason,
    },
}

#[derive(Debug)]
pub enum Reason {
    Stopped(StopReason),
    BoundReached,
    /// Something on the way could not be encoded.
    Obstacle {
        what: &'static str,
        edge: EdgeId,
    },
    /// The interpreter did not confirm a counterexample.
    NotConfirmed(String),
    /// Some paths were not followed to their end, for this reason.
    Open(String),
    /// A proof that does not prove anything.
    NoProof(&'static str),
    Solver(SolverError),
}

impl From<SolverError> for Reason {
    fn from(error: SolverError) -> Self {
        match error {
            SolverError::Stopped(reason) => Reason::Stopped(reason),
            error => Reason::Solver(error),
        }
    }
}

/// What there is to check of a TRUE.
#[derive(Clone, Debug)]
pub enum Proof {
    /// No loop comes back, and no recursion goes deeper, than the bound allows. Reactive loops that are inside of each
    /// other are counted together, or not.
    Unwinding { bound: u32, together: bool },
    /// After so many iterations without a violation there is none in the next, given facts of each
    /// loop that hold whenever it has come back to its head.
    Induction { depth: u32, invariants: Vec<LoopFacts> },
    /// Predicates at loop heads that hold whenever a path comes back there, and exclude a violation.
    Predicates(crate::predicate::Invariants),
}

/// One place where a goal could be violated, and whether it is.
#[derive(Debug)]
pub struct PropertyVerdict {
    pub violation: Violation,
    pub edge: EdgeId,
    pub status: Status,
}

#[derive(Debug)]
pub enum Status {
    Holds,
    Violated(Counterexample),
    /// Not violated in what was looked at.
    Open,
}
