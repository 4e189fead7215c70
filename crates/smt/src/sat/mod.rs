//! SAT solvers behind one small trait.

mod aside;
pub mod cadical;

use crate::CheckResult;
use base::Budget;
use std::cell::Cell;
use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;
use std::time::{Duration, Instant};

pub use cadical::Cadical;

/// A variable of a SAT solver, or its negation, in the numbering of DIMACS.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(NonZeroI32);

impl Literal {
    /// The literal with this DIMACS number; `None` for 0.
    pub fn from_dimacs(number: i32) -> Option<Self> {
        NonZeroI32::new(number).filter(|number| number.get() != i32::MIN).map(Self)
    }

    pub fn to_dimacs(self) -> i32 {
        self.0.get()
    }

    /// The literal, or its negation.
    #[must_use]
    pub fn negated_if(self, condition: bool) -> Self {
        if condition { !self } else { self }
    }
}

impl Not for Literal {
    type Output = Self;
    fn not(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

thread_local! {
    static SPENT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The time that this thread has spent inside SAT solvers, for statistics: solving, and taking in clauses.
pub fn time_spent() -> Duration {
    SPENT.get()
}

fn spend(begun: Instant) {
    SPENT.set(SPENT.get() + begun.elapsed());
}

/// An incremental SAT solver.
pub trait SatSolver {
    /// A variable that has not been used so far.
    fn new_variable(&mut self) -> Literal;

    /// Adds a clause for good.
    fn add_clause(&mut self, clause: &[Literal]);

    /// Decides whether the clauses and the assumptions can be true together. The assumptions hold
    /// for this call only. Ends with `Unknown` when the budget runs out or is cancelled.
    fn solve(&mut self, assumptions: &[Literal], budget: &Budget) -> CheckResult;

    /// The value of a literal in the model, after `Sat` and before the next change.
    fn value(&mut self, literal: Literal) -> bool;

    /// Whether an assumption is in the core, after `Unsat` and before the next change.
    fn failed(&mut self, assumption: Literal) -> bool;

    /// Gives up the next call of `solve` after so many conflicts: a limit that does not depend on the clock.
    fn limit_conflicts(&mut self, conflicts: i32);

    /// How many bytes are taken at once if there is one more variable.
    fn growth(&self) -> u64;
}
