//! The solver that the user has chosen.

use crate::options::Options;
use base::Budget;
use smt::sat::Cadical;
use smt::{BitBlaster, Check, CheckResult, Model, SmtlibSolver, SolverError};
use term::{TermId, TermPool, Value};

pub enum Solver {
    Own(Box<BitBlaster>),
    Pipe(Box<SmtlibSolver>),
}

impl Solver {
    pub fn start(options: &Options) -> Result<Self, SolverError> {
        Ok(match &options.solver {
            None => Solver::Own(Box::new(own(options))),
            Some(command) => Solver::Pipe(Box::new(SmtlibSolver::start(command)?)),
        })
    }

    /// Gives the solver all terms that there are, also those that no question depends on.
    pub fn tell_everything(&mut self, pool: &TermPool, budget: &Budget) -> Result<(), SolverError> {
        match self {
            Solver::Own(solver) => solver.translate_all(pool, budget),
            Solver::Pipe(_) => Ok(()),
        }
    }
}

/// Circuits for shorter words are not worth leaving out.
const EXPENSIVE_WIDTH: u32 = 16;

pub fn own(options: &Options) -> BitBlaster {
    let sat = if options.preprocessing { Cadical::new() } else { Cadical::without_preprocessing() };
    let mut solver = BitBlaster::with_sat_solver(sat);
    if options.refinement {
        solver.leave_out_operations(EXPENSIVE_WIDTH);
    }
    solver
}

impl Check for Solver {
    fn assert(&mut self, pool: &TermPool, term: TermId, budget: &Budget) -> Result<(), SolverError> {
        match self {
            Solver::Own(solver) => solver.assert(pool, term, budget),
            Solver::Pipe(solver) => solver.assert(pool, term, budget),
        }
    }

    fn check(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<CheckResult, SolverError> {
        match self {
            Solver::Own(solver) => solver.check(pool, assumptions, budget),
            Solver::Pipe(solver) => solver.check(pool, assumptions, budget),
        }
    }
}

impl Model for Solver {
    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError> {
        match self {
            Solver::Own(solver) => solver.value(pool, term),
            Solver::Pipe(solver) => solver.value(pool, term),
        }
    }
}
