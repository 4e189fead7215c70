//! k-induction: base case and step case side by side, both incremental.
//!
//! The base case is incremental BMC. The step case is another unwinder, with jumps to arbitrary
//! states at loop heads ([`Induction`] explains how) and a solver of its own. If at depth `k` no
//! violation can follow, the program is safe.

use crate::bmc::{Analyses, Bmc, Options, Outcome, Reason, error_functions, faults, is_satisfiable};
use crate::changes::changes_of_loops;
use crate::unwind::{Bounded, Bounds, Induction, Unwinder};
use base::Budget;
use cfa::Program;
use cfa::callgraph::CallGraph;
use encode::Encoder;
use smt::{BitBlaster, Check};
use task::Goal;
use term::TermId;

/// Runs both cases for k = 0, 1, 2, …
pub fn run(
    program: &Program,
    analyses: &Analyses,
    goals: &[Goal],
    options: &Options,
    budget: &Budget,
) -> Outcome {
    let mut base = Bmc::new(program, analyses, goals, options.clone(), budget);
    let mut step = StepCase::new(program, analyses, goals, options, budget);
    for depth in 0.. {
        match base.round(depth) {
            Ok(Some(outcome)) => return outcome,
            Ok(None) => {}
            Err(reason) => return Outcome::Unknown { bound: depth.checked_sub(1), reason },
        }
        match step.holds(depth) {
            Ok(true) => return Outcome::True,
            Ok(false) => {}
            Err(reason) => return Outcome::Unknown { bound: Some(depth), reason },
        }
        if options.max_unwind.is_some_and(|limit| depth >= limit) {
            return Outcome::Unknown { bound: Some(depth), reason: Reason::BoundReached };
        }
    }
    unreachable!("the loop only ends by returning")
}

struct StepCase<'p> {
    unwinder: Unwinder<'p>,
    solver: BitBlaster,
    budget: &'p Budget,
    /// All violations seen so far that are not known to be impossible.
    violations: Vec<TermId>,
    /// Paths that end at something that could not be encoded.
    obstacles: Vec<TermId>,
}

impl<'p> StepCase<'p> {
    fn new(
        program: &'p Program,
        analyses: &'p Analyses,
        goals: &'p [Goal],
        options: &Options,
        budget: &'p Budget,
    ) -> Self {
        let encoder = Encoder::new(program, &analyses.points_to, faults(goals));
        let bounds = Bounds { all: 0, loops: Default::default(), free: options.free };
        let errors = error_functions(program, goals);
        let mut unwinder = Unwinder::new(encoder, &analyses.loops, &analyses.order, errors, bounds);
        let calls = CallGraph::new(program, &analyses.points_to);
        unwinder.changes = changes_of_loops(program, &analyses.loops, &analyses.points_to, &calls);
        unwinder.induction = Some(Induction::default());
        Self { unwinder, solver: BitBlaster::new(), budget, violations: Vec::new(), obstacles: Vec::new() }
    }

    /// Whether no violation can follow `depth` iterations without one.
    fn holds(&mut self, depth: u32) -> Result<bool, Reason> {
        self.unwinder.bounds.all = depth;
        self.unwinder.run(self.budget).map_err(Reason::Stopped)?;
        let new = std::mem::take(&mut self.unwinder.targets);
        self.violations.extend(new.iter().map(|target| target.guard));
        self.obstacles.extend(std::mem::take(&mut self.unwinder.obstacles).iter().map(|o| o.guard));
        let paths = std::mem::take(&mut self.unwinder.suspended);
        let recursive = paths.iter().filter(|path| matches!(path.by, Bounded::Recursion(_)));
        let mut open: Vec<TermId> = recursive.map(|path| path.guard()).collect();
        open.extend(&self.obstacles);
        open.extend(&self.violations);
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
        is_satisfiable(self.solver.check(pool, &assumptions, self.budget))
    }
}
