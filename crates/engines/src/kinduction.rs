//! k-induction: base case and step case side by side, both incremental.
//!
//! The base case is incremental BMC. The step case is another unwinder, with jumps to arbitrary
//! states at loop heads ([`Induction`] explains how) and a solver of its own. If at depth `k` no
//! violation can follow, the program is safe.

use crate::bmc::{Bmc, is_satisfiable, unwinder};
use crate::changes::changes_of_loops;
use crate::options::Options;
use crate::outcome::{Findings, Outcome, Proof, Reason, Task};
use crate::properties::Properties;
use crate::solver::Solver;
use crate::unwind::{Bounded, Induction, Target, Unwinder};
use cfa::callgraph::CallGraph;
use smt::{Check, SolverError};
use term::TermId;

/// Runs both cases for k = 0, 1, 2, …
pub fn run(task: Task<'_>, options: &Options) -> Findings {
    let (mut base, mut step) = match (Bmc::new(task, options), StepCase::new(task, options)) {
        (Ok(base), Ok(step)) => (base, step),
        (Err(error), _) | (_, Err(error)) => {
            return Findings::new(Outcome::Unknown { reason: Reason::Solver(error) });
        }
    };
    for depth in 0.. {
        match base.round(depth) {
            Ok(Some(outcome)) => {
                let proof = matches!(outcome, Outcome::True).then_some(Proof::Unwinding { bound: depth });
                return base.findings(outcome, proof);
            }
            Ok(None) => {}
            Err(reason) => return base.findings(Outcome::Unknown { reason }, None),
        }
        match step.holds(depth, &base.properties) {
            Ok(true) => return base.findings(Outcome::True, Some(Proof::Induction { depth })),
            Ok(false) => {}
            Err(reason) => return base.findings(Outcome::Unknown { reason }, None),
        }
        if options.max_unwind.is_some_and(|limit| depth >= limit) {
            return base.findings(Outcome::Unknown { reason: Reason::BoundReached }, None);
        }
    }
    unreachable!("the loop only ends by returning")
}

pub(crate) struct StepCase<'p> {
    task: Task<'p>,
    options: &'p Options,
    unwinder: Unwinder<'p>,
    solver: Solver,
    /// All violations seen so far.
    violations: Vec<Target>,
    /// Paths that end at something that could not be encoded.
    obstacles: Vec<TermId>,
}

impl<'p> StepCase<'p> {
    pub fn new(task: Task<'p>, options: &'p Options) -> Result<Self, SolverError> {
        let mut unwinder = unwinder(&task, options);
        let Task { program, analyses, .. } = task;
        let calls = CallGraph::new(program, &analyses.points_to);
        unwinder.changes = changes_of_loops(program, &analyses.loops, &analyses.points_to, &calls);
        unwinder.induction = Some(Induction::default());
        // A limit on a loop says how far to look, which is not what a proof needs.
        unwinder.bounds.loops.clear();
        let solver = Solver::start(options)?;
        Ok(Self { task, options, unwinder, solver, violations: Vec::new(), obstacles: Vec::new() })
    }

    /// Whether no violation can follow `depth` iterations without one.
    pub fn holds(&mut self, depth: u32, properties: &Properties) -> Result<bool, Reason> {
        if self.options.restart && depth > 0 {
            *self = Self::new(self.task, self.options).map_err(Reason::Solver)?;
        }
        self.unwinder.bounds.all = depth;
        self.unwinder.bounds.recursion = depth;
        self.unwinder.run(self.task.budget).map_err(Reason::Stopped)?;
        self.violations.append(&mut self.unwinder.targets);
        self.obstacles.extend(std::mem::take(&mut self.unwinder.obstacles).iter().map(|o| o.guard));
        let paths = std::mem::take(&mut self.unwinder.suspended);
        let recursive = paths.iter().filter(|path| matches!(path.by, Bounded::Recursion(_)));
        let mut open: Vec<TermId> = recursive.map(|path| path.guard()).collect();
        open.extend(&self.obstacles);
        let violations = self.violations.iter().filter(|target| properties.is_open(target));
        open.extend(violations.map(|target| target.guard));
        let holds = !self.possible(&open, depth)?;
        self.unwinder.resume(paths);
        Ok(holds)
    }

    /// Whether one of the conditions can be true at this depth of the induction.
    fn possible(&mut self, conditions: &[TermId], depth: u32) -> Result<bool, Reason> {
        let active = self.unwinder.induction.as_ref().map_or(&[][..], |induction| &induction.active).to_vec();
        let pool = &mut self.unwinder.encoder.pool;
        let any = pool.or_all(conditions.iter().copied());
        if pool.truth_value(any) == Some(false) {
            return Ok(false);
        }
        let mut assumptions = vec![any];
        for (number, literal) in active.into_iter().enumerate() {
            assumptions.push(if number == depth as usize { literal } else { pool.not(literal) });
        }
        is_satisfiable(self.solver.check(pool, &assumptions, self.task.budget))
    }
}
