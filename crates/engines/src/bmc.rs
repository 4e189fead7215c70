//! Incremental bounded model checking.
//!
//! (Schrammel, Kroening, Brain, Martins, Teige, Bienmüller: "Incremental Bounded Model Checking for
//! Embedded Software", equations (5) to (7).) One unwinder and one solver serve the whole run. Each
//! round unwinds once more, asks the solver whether one of the violations that this round has added
//! can happen, and then whether any suspended path can go on at all: if none can, everything has been
//! unwound and the program is safe. Violations that were refuted are asserted not to happen, which is
//! what the literals α of the paper come down to when every round asks for its own violations only.

use crate::counterexample::{Counterexample, read_model, violated};
use crate::unwind::{Bounds, Suspended, Target, Unwinder};
use base::{Budget, StopReason};
use cfa::loops::Loops;
use cfa::pointsto::PointsTo;
use cfa::weak_order::WeakOrder;
use cfa::{FunctionId, Program};
use encode::{Check as Fault, Encoder};
use rustc_hash::FxHashSet;
use smt::{BitBlaster, Check, CheckResult, SolverError};
use task::Goal;
use term::TermId;

/// What is known of the program when the engine ends.
#[derive(Debug)]
pub enum Outcome {
    True,
    False {
        goal: Goal,
        counterexample: Counterexample,
    },
    /// Verified up to `bound`; why it is not more.
    Unknown {
        bound: Option<u32>,
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
        edge: cfa::EdgeId,
    },
    /// The interpreter did not confirm a counterexample.
    NotConfirmed(String),
    Solver(SolverError),
}

#[derive(Clone, Debug)]
pub struct Options {
    pub max_unwind: Option<u32>,
    /// Unwindings that nothing depends on are not counted up to this number.
    pub free: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_unwind: None, free: 10_000 }
    }
}

/// What an engine has to look at.
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

pub struct Bmc<'p> {
    program: &'p Program,
    goals: &'p [Goal],
    options: Options,
    unwinder: Unwinder<'p>,
    solver: BitBlaster,
    budget: &'p Budget,
    /// Something was not encoded, or not confirmed: no proof any more.
    doubt: Option<Reason>,
}

impl<'p> Bmc<'p> {
    pub fn new(
        program: &'p Program,
        analyses: &'p Analyses,
        goals: &'p [Goal],
        options: Options,
        budget: &'p Budget,
    ) -> Self {
        let encoder = Encoder::new(program, &analyses.points_to, faults(goals));
        let bounds = Bounds { all: 0, loops: Default::default(), free: options.free };
        let errors = error_functions(program, goals);
        let unwinder = Unwinder::new(encoder, &analyses.loops, &analyses.order, errors, bounds);
        Self { program, goals, options, unwinder, solver: BitBlaster::new(), budget, doubt: None }
    }

    pub fn run(&mut self) -> Outcome {
        let mut bound = 0;
        loop {
            match self.round(bound) {
                Ok(Some(outcome)) => return outcome,
                Ok(None) => {}
                Err(reason) => return Outcome::Unknown { bound: bound.checked_sub(1), reason },
            }
            if self.options.max_unwind.is_some_and(|limit| bound >= limit) {
                return Outcome::Unknown { bound: Some(bound), reason: Reason::BoundReached };
            }
            bound += 1;
        }
    }

    /// Unwinds up to the bound and checks what is new.
    pub fn round(&mut self, bound: u32) -> Result<Option<Outcome>, Reason> {
        self.unwinder.bounds.all = bound;
        self.unwinder.run(self.budget).map_err(Reason::Stopped)?;
        let targets = std::mem::take(&mut self.unwinder.targets);
        if let Some(outcome) = self.refute(&targets)? {
            return Ok(Some(outcome));
        }
        self.look_at_obstacles()?;
        let paths = self.feasible_paths()?;
        if paths.is_empty() {
            return match self.doubt.take() {
                None => Ok(Some(Outcome::True)),
                Some(reason) => Err(reason),
            };
        }
        self.unwinder.resume(paths);
        Ok(None)
    }

    /// Shows that none of the targets is reached, or finds a run that reaches one.
    fn refute(&mut self, targets: &[Target]) -> Result<Option<Outcome>, Reason> {
        let mut open: Vec<TermId> = targets.iter().map(|target| target.guard).collect();
        while !open.is_empty() {
            let any = self.unwinder.encoder.pool.or_all(open.iter().copied());
            if !self.satisfiable(any)? {
                for guard in open.drain(..) {
                    self.exclude(guard)?;
                }
                break;
            }
            let found = read_model(&mut self.unwinder.encoder, &mut self.solver).map_err(Reason::Solver)?;
            let ending = found.replay(self.program, self.goals, self.budget, &mut replay::Silent);
            if let Some(goal) = violated(self.goals, &ending) {
                return Ok(Some(Outcome::False { goal, counterexample: found }));
            }
            self.doubt = Some(Reason::NotConfirmed(ending.to_string()));
            self.drop_reached(&mut open)?;
        }
        Ok(None)
    }

    /// After a run that was not confirmed: looks no more at the targets that it should have reached.
    fn drop_reached(&mut self, open: &mut Vec<TermId>) -> Result<(), Reason> {
        use smt::Model;
        let mut left = Vec::new();
        for &guard in open.iter() {
            let value = self.solver.value(&self.unwinder.encoder.pool, guard).map_err(Reason::Solver)?;
            if value.as_bool() != Some(true) {
                left.push(guard);
            }
        }
        *open = left;
        Ok(())
    }

    fn satisfiable(&mut self, condition: TermId) -> Result<bool, Reason> {
        let pool = &self.unwinder.encoder.pool;
        if let Some(value) = pool.truth_value(condition)
            && !value
        {
            return Ok(false);
        }
        is_satisfiable(self.solver.check(pool, &[condition], self.budget))
    }

    fn exclude(&mut self, condition: TermId) -> Result<(), Reason> {
        let never = self.unwinder.encoder.pool.not(condition);
        self.solver.assert(&self.unwinder.encoder.pool, never).map_err(Reason::Solver)
    }

    /// An obstacle matters only if the program can get there.
    fn look_at_obstacles(&mut self) -> Result<(), Reason> {
        for obstacle in std::mem::take(&mut self.unwinder.obstacles) {
            if self.doubt.is_none() && self.satisfiable(obstacle.guard)? {
                self.doubt = Some(Reason::Obstacle { what: obstacle.what, edge: obstacle.edge });
            }
        }
        Ok(())
    }

    /// The suspended paths that can go on.
    fn feasible_paths(&mut self) -> Result<Vec<Suspended>, Reason> {
        let mut feasible = Vec::new();
        for path in std::mem::take(&mut self.unwinder.suspended) {
            if self.satisfiable(path.guard())? {
                feasible.push(path);
            } else {
                self.exclude(path.guard())?;
            }
        }
        Ok(feasible)
    }
}

/// A solver's answer, or why there is none.
pub(crate) fn is_satisfiable(answer: Result<CheckResult, SolverError>) -> Result<bool, Reason> {
    match answer {
        Ok(CheckResult::Sat) => Ok(true),
        Ok(CheckResult::Unsat) => Ok(false),
        Ok(CheckResult::Unknown(reason)) => Err(Reason::Stopped(reason)),
        Err(error) => Err(Reason::Solver(error)),
    }
}

/// The functions whose calls the goals forbid.
pub(crate) fn error_functions(program: &Program, goals: &[Goal]) -> FxHashSet<FunctionId> {
    let names = goals.iter().filter_map(|goal| match goal {
        Goal::UnreachableCall(name) => program.function_named(name),
        _ => None,
    });
    names.collect()
}

/// The faults inside edges that the goals forbid.
pub(crate) fn faults(goals: &[Goal]) -> Vec<Fault> {
    let fault = |goal: &Goal| match goal {
        Goal::NoOverflow => Some(Fault::SignedOverflow),
        Goal::ValidDereference => Some(Fault::InvalidDereference),
        Goal::ValidFree => Some(Fault::InvalidFree),
        Goal::ValidMemoryTracking => Some(Fault::LostMemory),
        Goal::ValidMemoryCleanup => Some(Fault::MemoryLeft),
        Goal::ValidDivision => Some(Fault::DivisionByZero),
        Goal::ValidIndex => Some(Fault::IndexRange),
        Goal::ValidShift => Some(Fault::ShiftRange),
        Goal::Initialised => Some(Fault::UninitialisedUse),
        _ => None,
    };
    goals.iter().filter_map(fault).collect()
}
