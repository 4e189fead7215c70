//! Deciding terms.
//!
//! A solver is used through small traits, one per capability: [`Check`] to assert and decide,
//! [`Model`] for values, [`UnsatCore`] for the assumptions that were needed. What a back end lacks,
//! it does not implement. Back ends:
//!
//! - [`BitBlaster`] (the default) turns terms into an and-inverter graph, that into clauses, and
//!   gives those to a [`sat::SatSolver`], CaDiCaL unless told otherwise. Fully incremental.
//! - [`SmtlibSolver`] talks to any SMT-LIB 2 solver over a pipe.
//!
//! ```
//! use base::Budget;
//! use smt::{BitBlaster, Check, CheckResult, Model};
//! use term::{Sort, TermPool};
//! let mut pool = TermPool::new();
//! let x = pool.variable("x", Sort::BitVec(8));
//! let square = pool.mul(x, x);
//! let (fifteen, sixteen) = (pool.bitvec(8, 15), pool.bitvec(8, 16));
//! let (never, sometimes) = (pool.eq(square, fifteen), pool.eq(square, sixteen));
//! let mut solver = BitBlaster::new();
//! assert_eq!(solver.check(&pool, &[never], &Budget::unlimited())?, CheckResult::Unsat);
//! assert_eq!(solver.check(&pool, &[sometimes], &Budget::unlimited())?, CheckResult::Sat);
//! assert_eq!(solver.value(&pool, square)?, pool.value(sixteen).unwrap());
//! # Ok::<(), smt::SolverError>(())
//! ```

pub mod bitblast;
pub mod interpolation;
pub mod intervals;
pub mod sat;
pub mod smtlib;

use base::{Budget, StopReason};
use term::{Sort, TermId, TermPool, Value};

pub use bitblast::{BitBlaster, Ranges};
pub use smtlib::SmtlibSolver;

/// The answer of a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    Sat,
    Unsat,
    /// The budget ran out, or the run was cancelled.
    Unknown(StopReason),
}

/// Why a solver cannot answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolverError {
    #[error("terms of sort {0} are not supported by this solver")]
    UnsupportedSort(Sort),
    /// The budget ran out before there was anything to decide.
    #[error("stopped: {0}")]
    Stopped(StopReason),
    #[error("there is no model: the last check was not satisfiable, or something was added since")]
    NoModel,
    /// The solver itself said `unknown`.
    #[error("the solver gave up: {0}")]
    GaveUp(String),
    #[error("cannot start the solver `{command}`: {message}")]
    Start { command: String, message: String },
    #[error("the solver ended unexpectedly: {0}")]
    Died(String),
    #[error("the solver answered with an error: {0}")]
    Reported(String),
    #[error("the solver's answer is not understood: {0}")]
    Answer(String),
}

impl From<StopReason> for SolverError {
    fn from(reason: StopReason) -> Self {
        SolverError::Stopped(reason)
    }
}

/// Asserting terms and deciding them. A solver remembers terms by their ids, so all calls on one
/// solver must come with the same pool.
pub trait Check {
    /// Adds a Boolean term that holds from now on. Where the budget runs out before, parts of it hold.
    fn assert(&mut self, pool: &TermPool, term: TermId, budget: &Budget) -> Result<(), SolverError>;

    /// Decides whether the assertions and the assumptions can be true together. The assumptions
    /// hold for this call only.
    fn check(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<CheckResult, SolverError>;
}

/// Values after [`CheckResult::Sat`].
pub trait Model {
    /// The value of any term, also of one that the solver has not seen, in the model of the last
    /// check. Asserting something ends the life of the model.
    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError>;
}

/// Reasons after [`CheckResult::Unsat`].
pub trait UnsatCore {
    /// Assumptions of the last check that cannot be true together with the assertions. Empty if the
    /// assertions alone cannot be true. Not necessarily minimal.
    fn unsat_core(&self) -> &[TermId];
}
