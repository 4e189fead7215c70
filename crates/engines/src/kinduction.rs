//! k-induction: base case and step case side by side, both incremental.
//!
//! The base case is incremental BMC. The step case is another unwinder, with jumps to arbitrary
//! states at loop heads ([`Induction`] explains how) and a solver of its own. If at depth `k` no
//! violation can follow, the program is safe.

use crate::bmc::{Bmc, is_satisfiable, leave_if_stopped, unwinder};
use crate::changes::changes_of_loops;
use crate::options::Options;
use crate::outcome::{Findings, Outcome, Proof, Reason, Task};
use crate::properties::Properties;
use crate::solver::Solver;
use crate::strengthen::{Invariants, Strengthening};
use crate::unwind::{Bounded, Induction, Target, Unwinder};
use base::Budget;
use cfa::callgraph::CallGraph;
use encode::MOST_OFFSETS;
use invariants::{LoopFacts, Surroundings};
use smt::{Check, SolverError};
use std::time::Duration;
use term::TermId;

/// Runs both cases for k = 0, 1, 2, …
pub fn run(task: Task<'_>, options: &Options) -> Findings {
    let (mut base, mut step) = match (Bmc::new(task, options), StepCase::new(task, options)) {
        (Ok(base), Ok(step)) => (base, step),
        (Err(error), _) | (_, Err(error)) => {
            return Findings::new(Outcome::Unknown { reason: Reason::Solver(error) });
        }
    };
    let found = search(&mut base, &mut step);
    let (outcome, proof) = found.unwrap_or_else(|reason| (Outcome::Unknown { reason }, None));
    leave_if_stopped(step, &outcome);
    base.findings(outcome, proof)
}

fn search(base: &mut Bmc<'_>, step: &mut StepCase<'_>) -> Result<(Outcome, Option<Proof>), Reason> {
    let (task, options) = (step.task, step.options);
    let mut turns = Turns::new(task.budget);
    let mut step_depth = 0;
    for depth in 0.. {
        if let Some(outcome) = turns.base(|| base.round(depth))? {
            let proof = matches!(outcome, Outcome::True)
                .then_some(Proof::Unwinding { bound: depth, together: false });
            return Ok((outcome, proof));
        }
        let is_last = options.max_unwind.is_some_and(|limit| depth >= limit);
        let has_turn = is_last || options.restart;
        match turns.step(has_turn, |turn| step.holds(step_depth, &base.properties, turn))? {
            Some(Some(depth)) => {
                let proof = Proof::Induction { depth, invariants: step.strengthening.found() };
                return Ok((Outcome::True, Some(proof)));
            }
            Some(None) => step_depth += 1,
            None => {}
        }
        if is_last {
            return Err(Reason::BoundReached);
        }
    }
    unreachable!("the loop only ends by returning")
}

/// How long the two cases have been at work. The step case may take twice the time of the base case,
/// in turns that become longer: neither keeps the other from an answer that it is close to.
struct Turns<'b> {
    budget: &'b Budget,
    base: Duration,
    step: Duration,
}

/// What the step case may take however short the base case is.
const HEAD_START: Duration = Duration::from_secs(1);

/// The shortest turn that is worth its while.
const SHORTEST: Duration = Duration::from_millis(100);

impl<'b> Turns<'b> {
    fn new(budget: &'b Budget) -> Self {
        Self { budget, base: Duration::ZERO, step: Duration::ZERO }
    }

    fn base<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let before = self.budget.elapsed();
        let result = work();
        self.base += self.budget.elapsed().saturating_sub(before);
        result
    }

    /// What becomes known of the step case in its turn.
    fn step<R>(
        &mut self,
        has_turn: bool,
        work: impl FnOnce(&Budget) -> Result<R, Reason>,
    ) -> Result<Option<R>, Reason> {
        let allowed = (2 * self.base + HEAD_START).saturating_sub(self.step);
        if !has_turn && allowed < SHORTEST.max(self.step / 2) {
            return Ok(None);
        }
        let turn = if has_turn { self.budget.clone() } else { self.budget.clone().with_time(allowed) };
        let before = self.budget.elapsed();
        let result = work(&turn);
        self.step += self.budget.elapsed().saturating_sub(before);
        match result {
            Err(Reason::Stopped(_)) if self.budget.check_now().is_ok() => Ok(None),
            result => result.map(Some),
        }
    }
}

/// The invariants that strengthen the step case: facts of each loop that hold whenever a run that
/// has not violated the goals comes back to its head (in iterations that the options do not call
/// free). Empty if there are none, or not within the budget.
pub fn invariants(task: Task<'_>, options: &Options) -> Result<Vec<LoopFacts>, Reason> {
    let mut step = StepCase::new(task, options)?;
    step.unwind(0, &Default::default(), task.budget)?;
    step.strengthen(task.budget)?;
    Ok(step.strengthening.found())
}

/// Below this depth the step case is tried without invariants, as long as it is this cheap in
/// nodes executed and in time.
const UNAIDED: u32 = 8;
const UNAIDED_TIME: Duration = Duration::from_millis(300);
const CHEAP: u64 = 4000;

/// What may go into a question before an easier one is tried.
const SHORT: Duration = Duration::from_millis(500);

pub(crate) struct StepCase<'p> {
    task: Task<'p>,
    options: &'p Options,
    unwinder: Unwinder<'p>,
    solver: Solver,
    /// All violations seen so far.
    violations: Vec<Target>,
    /// Paths that end at something that could not be encoded.
    obstacles: Vec<TermId>,
    strengthening: Strengthening,
    /// The depth that has been begun.
    depth: Option<u32>,
    /// The time taken without invariants.
    unaided: Duration,
}

impl<'p> StepCase<'p> {
    pub fn new(task: Task<'p>, options: &'p Options) -> Result<Self, SolverError> {
        let mut unwinder = unwinder(&task, options);
        let Task { program, analyses, .. } = task;
        let calls = CallGraph::new(program, &analyses.points_to);
        unwinder.changes = changes_of_loops(program, &analyses.loops, &analyses.points_to, &calls);
        unwinder.induction = Some(Induction::default());
        unwinder.encoder.forgets_above = Some(MOST_OFFSETS);
        // A limit on a loop says how far to look, which is not what a proof needs.
        unwinder.bounds.loops.clear();
        let (loops, points_to) = (&analyses.loops, &analyses.points_to);
        let facts = Invariants::new(Surroundings { program, loops, points_to, changes: &unwinder.changes });
        unwinder.watch.observables = facts.facts.iter().map(|facts| facts.watched.clone()).collect();
        unwinder.watch.notes_returns = true;
        let (solver, strengthening) = (Solver::start(options)?, Strengthening::new(facts));
        let (violations, obstacles) = (Vec::new(), Vec::new());
        let (depth, unaided) = (None, Duration::ZERO);
        Ok(Self { task, options, unwinder, solver, violations, obstacles, strengthening, depth, unaided })
    }

    /// A step case that does not look for invariants, but takes these.
    pub fn with_invariants(
        task: Task<'p>,
        options: &'p Options,
        invariants: &[LoopFacts],
    ) -> Result<Self, SolverError> {
        let mut step = Self::new(task, options)?;
        if !invariants.is_empty() {
            step.unwinder.watch.observables = invariants.iter().map(|facts| facts.watched.clone()).collect();
        }
        step.strengthening.set_found(invariants);
        Ok(step)
    }

    /// Whether the invariants that were given are some.
    pub fn invariants_hold(&mut self) -> Result<bool, Reason> {
        self.unwind(0, &Default::default(), self.task.budget)?;
        self.strengthening.check(&mut self.unwinder, self.options, self.task.budget)
    }

    fn strengthen(&mut self, turn: &Budget) -> Result<bool, Reason> {
        let budgets = [self.task.budget, turn];
        self.strengthening.advance(&mut self.unwinder, &mut self.solver, self.options, budgets)
    }

    /// Unwinds to a depth, or goes on with it. Returns what must not happen there.
    fn unwind(&mut self, depth: u32, properties: &Properties, turn: &Budget) -> Result<Vec<TermId>, Reason> {
        // Depth 0 shows which loops have a choice at once: what is known of others is not known of all their iterations.
        let is_first = self.unwinder.watch.notes_returns;
        if is_first && depth > 0 {
            self.unwind(0, properties, turn)?;
            return self.unwind(depth, properties, turn);
        }
        if self.depth.is_none_or(|begun| begun < depth) {
            let paths = std::mem::take(&mut self.unwinder.suspended);
            self.unwinder.resume(paths);
        }
        self.depth = Some(depth);
        self.unwinder.bounds.all = depth;
        self.unwinder.bounds.recursion = depth;
        // Depth 0 is where invariants are learnt, so it must be there as a whole.
        let budget = if is_first { self.task.budget } else { turn };
        self.unwinder.run(budget).map_err(Reason::Stopped)?;
        self.violations.append(&mut self.unwinder.targets);
        self.obstacles.extend(std::mem::take(&mut self.unwinder.obstacles).iter().map(|o| o.guard));
        let recursive =
            self.unwinder.suspended.iter().filter(|path| matches!(path.by, Bounded::Recursion(_)));
        let mut open: Vec<TermId> = recursive.map(|path| path.guard()).collect();
        open.extend(&self.obstacles);
        if is_first {
            self.unwinder.watch.notes_returns = false;
            self.strengthening.begin(&self.unwinder, &open);
        }
        let violations = self.violations.iter().filter(|target| properties.is_open(target));
        open.extend(violations.map(|target| target.guard));
        Ok(open)
    }

    /// The depth, at most this one, for which no violation can follow as many iterations without one, if that is so.
    /// When the turn is over before that is known, the next one goes on from there.
    pub fn holds(
        &mut self,
        depth: u32,
        properties: &Properties,
        turn: &Budget,
    ) -> Result<Option<u32>, Reason> {
        if self.options.restart && depth > 0 {
            let found = self.strengthening.found();
            *self = Self::with_invariants(self.task, self.options, &found)?;
        }
        self.task.budget.tell(|| format!("induction at depth {depth}"));
        let open = self.unwind(depth, properties, turn)?;
        self.decide(&open, depth, turn)
    }

    fn decide(&mut self, open: &[TermId], depth: u32, turn: &Budget) -> Result<Option<u32>, Reason> {
        self.strengthening.apply(&mut self.unwinder, &mut self.solver, self.task.budget)?;
        let mut holds = self.holds_unaided(open, depth, turn)?;
        while holds != Some(true)
            && (holds.is_none() || depth >= UNAIDED || self.unwinder.steps > CHEAP || self.options.restart)
            && self.strengthen(turn)?
        {
            holds = self.holds_within(SHORT, open, depth, turn)?;
            // What is hard to see at the end of a long way may be easy where all that is known are the invariants.
            if holds.is_none() && depth > 0 && self.holds_within(SHORT, open, 0, turn)? == Some(true) {
                return Ok(Some(0));
            }
            holds = Some(self.holds_at_last(holds, open, depth, turn)?);
        }
        Ok(self.holds_at_last(holds, open, depth, turn)?.then_some(depth))
    }

    /// Whether the step case holds at a depth, if that is not known yet.
    fn holds_at_last(
        &mut self,
        known: Option<bool>,
        open: &[TermId],
        depth: u32,
        turn: &Budget,
    ) -> Result<bool, Reason> {
        match known {
            Some(holds) => Ok(holds),
            None => Ok(!self.possible(open, depth, turn)?),
        }
    }

    /// Whether the step case holds with what is known. If there are invariants to be looked for, that
    /// is not worth much time.
    fn holds_unaided(&mut self, open: &[TermId], depth: u32, turn: &Budget) -> Result<Option<bool>, Reason> {
        if self.strengthening.is_unfinished() {
            return Ok(None);
        }
        if self.strengthening.has_ended() {
            return self.possible(open, depth, turn).map(|possible| Some(!possible));
        }
        let begun = turn.elapsed();
        let holds = self.holds_within(UNAIDED_TIME.saturating_sub(self.unaided), open, depth, turn);
        self.unaided += turn.elapsed().saturating_sub(begun);
        holds
    }

    /// Whether the step case holds at a depth, if that becomes known in a part of the turn.
    fn holds_within(
        &mut self,
        time: Duration,
        open: &[TermId],
        depth: u32,
        turn: &Budget,
    ) -> Result<Option<bool>, Reason> {
        match self.possible(open, depth, &turn.clone().with_time(time)) {
            Err(Reason::Stopped(_)) if turn.check_now().is_ok() => Ok(None),
            answer => answer.map(|possible| Some(!possible)),
        }
    }

    /// Whether one of the conditions can be true at this depth of the induction.
    fn possible(&mut self, conditions: &[TermId], depth: u32, turn: &Budget) -> Result<bool, Reason> {
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
        is_satisfiable(self.solver.check(pool, &assumptions, turn))
    }
}
