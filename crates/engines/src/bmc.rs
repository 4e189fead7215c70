//! Incremental bounded model checking.
//!
//! (Schrammel, Kroening, Brain, Martins, Teige, Bienmüller: "Incremental Bounded Model Checking for
//! Embedded Software", equations (5) to (7).) One unwinder and one solver serve the whole run. Each
//! round unwinds once more, asks the solver whether one of the violations that this round has added
//! can happen, and then whether any suspended path can go on at all: if none can, everything has been
//! unwound and the program is safe. Violations that were refuted are asserted not to happen, which is
//! what the literals α of the paper come down to when every round asks for its own violations only.

use crate::counterexample::{read_model, spare_memory, violated};
use crate::nests::reactive_nests;
use crate::options::{Options, Strategy};
use crate::outcome::{Findings, Outcome, Proof, Reason, Task};
use crate::properties::Properties;
use crate::runs::Runs;
use crate::solver::Solver;
use crate::strategy::{eager_loops, table_searches};
use crate::unwind::{Bounded, Bounds, Suspended, Target, Unwinder};
use crate::window::Window;
use cfa::loops::LoopId;
use cfa::{FunctionId, Program};
use domains::automaton::Automata;
use encode::{Check as Fault, Encoder, MOST_OFFSETS};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Check, CheckResult, Model, SolverError};
use std::collections::BTreeSet;
use task::condition::Part;
use task::{Condition, Goal, LoopBounds};
use term::TermId;

/// So many violations are asked for at first, if a round adds more: one question about all of them may
/// be more than there is memory for, when the first few have the answer.
const FIRST_QUESTION: usize = 1024;

/// So many iterations are repeated before loops are counted together.
const MANY: u32 = 8;

/// Unwinds until there is an answer, or the limits are reached.
pub fn run(task: Task<'_>, options: &Options) -> Findings {
    let mut bmc = match Bmc::new(task, options) {
        Ok(bmc) => bmc.free_to_count(),
        Err(error) => return Findings::new(Outcome::Unknown { reason: Reason::Solver(error) }),
    };
    let outcome = bmc.search();
    let together = !bmc.unwinder.together.is_empty();
    let proof = matches!(outcome, Outcome::True).then_some(Proof::Unwinding { bound: bmc.bound, together });
    bmc.findings(outcome, proof)
}

pub struct Bmc<'p> {
    task: Task<'p>,
    options: &'p Options,
    unwinder: Unwinder<'p>,
    solver: Solver,
    window: Window,
    runs: Runs,
    /// Conditions that are never true, and the solver does not know it yet.
    unsaid: Vec<TermId>,
    /// Of the last round that was begun.
    pub bound: u32,
    /// The last round that was finished, and nothing in it was in doubt.
    verified: Option<u32>,
    /// The same, of the rounds before loops were counted together.
    apart: Option<u32>,
    /// Nobody has said that loops are counted one by one.
    may_count_together: bool,
    /// Without what was forgotten, some violation might be excluded, or confirmed.
    is_misled: bool,
    /// Something was not encoded, or not confirmed: no proof any more.
    doubt: Option<Reason>,
    pub properties: Properties,
}

impl<'p> Bmc<'p> {
    pub fn new(task: Task<'p>, options: &'p Options) -> Result<Self, SolverError> {
        let mut unwinder = unwinder(&task, options);
        if task.condition.is_some() {
            unwinder.leave_out(Automata::new(task.program, task.condition));
        }
        unwinder.encoder.forgets_above = Some(MOST_OFFSETS);
        unwinder.states.is_on = options.states;
        unwinder.eager = eager_loops(task.program, &task.analyses.loops, options.strategy);
        unwinder.bounds.searches = table_searches(task.program, &task.analyses.loops, options.strategy);
        let solver = Solver::start(options)?;
        let properties = Properties::new(&task, options.all_properties);
        let (window, runs, unsaid) = (Window::default(), Runs::default(), Vec::new());
        Ok(Self {
            task,
            options,
            unwinder,
            solver,
            window,
            runs,
            unsaid,
            bound: 0,
            verified: None,
            apart: None,
            may_count_together: false,
            is_misled: false,
            doubt: None,
            properties,
        })
    }

    /// Counts loops as the condition does, or as the user wants; if neither says anything, as is best.
    fn free_to_count(mut self) -> Self {
        let covered = self.task.condition.and_then(Condition::largest_bounds);
        let has_bound = self.options.max_unwind.is_some() || !self.options.max_unwind_of.is_empty();
        if covered.is_some() || self.options.strategy == Strategy::Together {
            return self.counting_together();
        }
        self.may_count_together = self.options.strategy == Strategy::Auto && !has_bound;
        self
    }

    /// Counts the loops as one that the condition does; without bounds in it, reactive loops inside of each other. A loop
    /// with a limit of its own is not among them.
    pub fn counting_together(mut self) -> Self {
        let mut together = match self.task.condition.and_then(Condition::largest_bounds) {
            Some(covered) => self.loops_named(&covered.together),
            None => reactive_nests(&self.task, &self.unwinder.eager),
        };
        together.retain(|id| !self.options.max_unwind_of.contains_key(id));
        self.unwinder.together = together;
        self
    }

    /// Whether so much has been repeated that loops should be counted together from now on, and can be.
    fn should_count_together(&mut self) -> bool {
        if !self.may_count_together || self.unwinder.repeated < MANY {
            return false;
        }
        self.may_count_together = false;
        self.unwinder.together = reactive_nests(&self.task, &self.unwinder.eager);
        !self.unwinder.together.is_empty()
    }

    fn loops_named(&self, names: &BTreeSet<String>) -> FxHashSet<LoopId> {
        let loops = self.task.analyses.loops.loops.enumerated();
        loops.filter(|(_, info)| names.contains(&info.name)).map(|(id, _)| id).collect()
    }

    fn search(&mut self) -> Outcome {
        let mut bound = match self.skip_covered() {
            Ok(bound) => bound,
            Err(reason) => return Outcome::Unknown { reason },
        };
        loop {
            match self.round(bound) {
                Ok(Some(outcome)) => return outcome,
                Ok(None) => {}
                Err(reason) => return Outcome::Unknown { reason },
            }
            if self.options.max_unwind.is_some_and(|limit| self.bound >= limit) {
                return Outcome::Unknown { reason: Reason::BoundReached };
            }
            bound = self.bound + 1;
        }
    }

    /// Unwinds up to the bound and checks what is new.
    pub fn round(&mut self, bound: u32) -> Result<Option<Outcome>, Reason> {
        if self.options.restart && bound > 0 {
            self.start_again()?;
        }
        self.bound = bound;
        self.task.budget.tell(|| format!("unwinding {bound}: {} steps so far", self.unwinder.steps));
        self.unwinder.bounds.all = bound;
        self.unwinder.bounds.recursion = bound;
        self.window.begin_round(&self.unwinder.encoder.pool);
        self.unwind()?;
        if self.unwinder.states.is_on && self.unwinder.states.are_too_many {
            self.unwinder.states.is_on = false;
            self.start_again()?;
            return self.round(bound);
        }
        if self.should_count_together() {
            self.apart = self.verified.take();
            self.start_again()?;
            return self.round(0);
        }
        if let Some(outcome) = self.refute()? {
            return Ok(Some(outcome));
        }
        if self.is_misled {
            self.unwinder.encoder.forgets_above = None;
            self.start_again()?;
            return self.round(bound);
        }
        self.look_at_obstacles()?;
        let paths = self.feasible_paths()?;
        if self.doubt.is_none() && !self.properties.has_violation() {
            self.verified = Some(bound);
        }
        if paths.is_empty() {
            return self.everything_unwound().map(Some);
        }
        let (at_their_limit, paths): (Vec<_>, Vec<_>) =
            paths.into_iter().partition(|path| self.is_at_its_limit(path));
        if paths.is_empty() {
            return Err(Reason::BoundReached);
        }
        self.unwinder.suspended = at_their_limit;
        self.unwinder.resume(paths);
        Ok(None)
    }

    fn start_again(&mut self) -> Result<(), Reason> {
        let properties = std::mem::take(&mut self.properties);
        let (verified, tells_states) = (self.verified, self.unwinder.states.is_on);
        let (apart, may_count_together) = (self.apart, self.may_count_together);
        let together = std::mem::take(&mut self.unwinder.together);
        let forgets_above = self.unwinder.encoder.forgets_above;
        *self =
            Self { properties, verified, apart, may_count_together, ..Self::new(self.task, self.options)? };
        self.unwinder.encoder.forgets_above = forgets_above;
        self.unwinder.states.is_on = tells_states;
        self.unwinder.together = together;
        self.skip_covered().map(|_| ())
    }

    /// Executes what the bounds allow; loops that are unwound to their end ask whether they go on.
    fn unwind(&mut self) -> Result<(), Reason> {
        loop {
            self.unwinder.run(self.task.budget).map_err(Reason::Stopped)?;
            let asking = std::mem::take(&mut self.unwinder.asking);
            if asking.is_empty() {
                return Ok(());
            }
            let going_on = self.feasible(asking)?;
            self.unwinder.resume(going_on);
        }
    }

    fn everything_unwound(&mut self) -> Result<Outcome, Reason> {
        // With a doubt, what has not been violated cannot be said to hold either.
        match self.doubt.take() {
            None => Ok(self.properties.take_outcome().unwrap_or(Outcome::True)),
            Some(reason) => Err(reason),
        }
    }

    fn is_at_its_limit(&self, path: &Suspended) -> bool {
        let Bounded::Loop(id) = path.by else { return false };
        self.options.max_unwind_of.get(&id).is_some_and(|&limit| path.count > limit)
    }

    /// Shows that none of the new targets is reached, or finds a run that reaches one.
    fn refute(&mut self) -> Result<Option<Outcome>, Reason> {
        let targets = std::mem::take(&mut self.unwinder.targets);
        self.properties.see(&targets);
        let mut rest = &targets[..];
        let mut most = FIRST_QUESTION;
        while !rest.is_empty() && !self.is_misled {
            let (next, later) = rest.split_at(most.min(rest.len()));
            if let Some(outcome) = self.refute_all(next.to_vec())? {
                return Ok(Some(outcome));
            }
            (rest, most) = (later, 2 * most);
        }
        Ok(None)
    }

    fn refute_all(&mut self, mut open: Vec<Target>) -> Result<Option<Outcome>, Reason> {
        open.retain(|target| self.properties.is_open(target));
        while !open.is_empty() {
            let any = self.unwinder.encoder.pool.or_all(open.iter().map(|target| target.guard));
            let exactly = self.exactly(any);
            // What happens where something was forgotten may be confirmed all the same.
            let found = if self.can_happen(exactly)? {
                exactly
            } else if exactly != any && self.can_happen(any)? {
                any
            } else {
                open.drain(..).for_each(|target| self.exclude(target.guard));
                break;
            };
            spare_memory(&mut self.unwinder.encoder, &mut self.solver, found, self.task.budget)?;
            let reached = self.reached(&open)?;
            if let Some(outcome) = self.confirm(&reached)? {
                return Ok(Some(outcome));
            }
            if self.is_misled {
                break;
            }
            open.retain(|target| {
                self.properties.is_open(target) && !reached.iter().any(|other| other.guard == target.guard)
            });
        }
        Ok(None)
    }

    /// That a condition is true, and nothing was forgotten before.
    fn exactly(&mut self, condition: TermId) -> TermId {
        let Encoder { pool, vague, .. } = &mut self.unwinder.encoder;
        let any = pool.or_all(vague.iter().copied());
        let none = pool.not(any);
        pool.and(condition, none)
    }

    /// Replays the run of the model. Unless every property is asked for, the first violation decides.
    fn confirm(&mut self, reached: &[Target]) -> Result<Option<Outcome>, Reason> {
        let found = read_model(&mut self.unwinder.encoder, &mut self.solver)?;
        // Each step of the run was executed here, too.
        let most = self.unwinder.steps.saturating_mul(2).saturating_add(1000);
        let ending = found.replay_steps(self.task.program, self.task.goals, self.task.budget, most);
        match violated(self.task.goals, &ending) {
            Some(goal) if !self.options.all_properties => {
                return Ok(Some(Outcome::False { goal, counterexample: found }));
            }
            Some(goal) => self.properties.violated(reached, goal, found),
            None if !self.unwinder.encoder.vague.is_empty() => self.is_misled = true,
            None => self.doubt = Some(Reason::NotConfirmed(ending.to_string())),
        }
        Ok(None)
    }

    /// The targets that the run of the model reaches.
    fn reached(&mut self, targets: &[Target]) -> Result<Vec<Target>, Reason> {
        let mut reached = Vec::new();
        for target in targets {
            let value = self.solver.value(&self.unwinder.encoder.pool, target.guard)?;
            if value.as_bool() == Some(true) {
                reached.push(*target);
            }
        }
        Ok(reached)
    }

    /// Whether a violation can happen, asked of the last iterations first.
    fn can_happen(&mut self, violation: TermId) -> Result<bool, Reason> {
        let pool = &mut self.unwinder.encoder.pool;
        let has_window = self.options.refinement && self.options.solver.is_none() && !self.options.restart;
        if has_window && self.window.refutes(pool, violation, self.options, self.task.budget)? {
            return Ok(false);
        }
        let begun = self.task.budget.elapsed();
        let answer = self.satisfiable(violation);
        self.window.asked_whole(self.task.budget.elapsed().saturating_sub(begun));
        answer
    }

    fn satisfiable(&mut self, condition: TermId) -> Result<bool, Reason> {
        if self.unwinder.encoder.pool.truth_value(condition) == Some(false) {
            return Ok(false);
        }
        self.say_all()?;
        let pool = &self.unwinder.encoder.pool;
        if !self.options.slicing {
            self.solver.tell_everything(pool, self.task.budget)?;
        }
        is_satisfiable(self.solver.check(pool, &[condition], self.task.budget))
    }

    fn exclude(&mut self, condition: TermId) {
        self.window.refuted(condition);
        self.unsaid.push(condition);
    }

    fn say_all(&mut self) -> Result<(), Reason> {
        for condition in self.unsaid.drain(..) {
            let never = self.unwinder.encoder.pool.not(condition);
            self.solver.assert(&self.unwinder.encoder.pool, never, self.task.budget)?;
        }
        Ok(())
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
        let paths = std::mem::take(&mut self.unwinder.suspended);
        self.feasible(paths)
    }

    fn feasible(&mut self, paths: Vec<Suspended>) -> Result<Vec<Suspended>, Reason> {
        let mut feasible = Vec::new();
        for path in paths {
            if path.is_certain() || self.can_be_run(path.guard())? {
                feasible.push(path);
            } else {
                self.exclude(path.guard());
            }
        }
        Ok(feasible)
    }

    /// Whether a path can be taken: by one of the last runs found, or by one that the solver finds.
    fn can_be_run(&mut self, path: TermId) -> Result<bool, Reason> {
        if self.runs.has(&self.unwinder.encoder.pool, path, self.task.budget) {
            return Ok(true);
        }
        let can = self.satisfiable(path)?;
        if can {
            self.runs.learn(&self.unwinder.encoder.pool, path, &mut self.solver)?;
        }
        Ok(can)
    }

    /// Unwinds what the condition covers, without looking at it. Returns the first bound to look at.
    pub fn skip_covered(&mut self) -> Result<u32, Reason> {
        let covered = self.task.condition.and_then(Condition::largest_bounds);
        let counts_alike =
            |covered: &LoopBounds| self.loops_named(&covered.together) == self.unwinder.together;
        let Some(covered) = covered.filter(|covered| counts_alike(covered)) else { return Ok(0) };
        let before = self.unwinder.bounds.clone();
        let eager = std::mem::take(&mut self.unwinder.eager);
        self.unwinder.bounds.free = 0;
        self.unwinder.bounds.searches.clear();
        self.unwinder.bounds.all = covered.every_loop;
        self.unwinder.bounds.recursion = covered.recursion;
        self.unwinder.bounds.loops = self.bounds_of_loops(covered);
        self.unwind()?;
        self.unwinder.targets.clear();
        self.unwinder.obstacles.clear();
        let paths = self.feasible_paths()?;
        self.unwinder.bounds = before;
        self.unwinder.eager = eager;
        self.unwinder.resume(paths);
        Ok(covered.every_loop.saturating_add(1))
    }

    fn bounds_of_loops(&self, covered: &LoopBounds) -> FxHashMap<LoopId, u32> {
        let loops = self.task.analyses.loops.loops.enumerated();
        loops.filter_map(|(id, info)| Some((id, *covered.loops.get(&info.name)?))).collect()
    }

    /// What was verified when the search ends.
    fn covered(&self) -> Option<LoopBounds> {
        if self.apart > self.verified {
            let bound = self.apart?;
            return Some(LoopBounds { every_loop: bound, recursion: bound, ..LoopBounds::default() });
        }
        let bound = self.verified?;
        let limits = &self.options.max_unwind_of;
        let name = |id: &LoopId| self.task.analyses.loops.loops[*id].name.clone();
        let loops = limits.iter().filter(|&(_, &limit)| limit < bound).map(|(id, &limit)| (name(id), limit));
        let together = self.unwinder.together.iter().map(name).collect();
        Some(LoopBounds { every_loop: bound, loops: loops.collect(), together, recursion: bound })
    }

    pub fn findings(self, outcome: Outcome, proof: Option<Proof>) -> Findings {
        let covered = match outcome {
            Outcome::Unknown { .. } => self.covered().map(Part::LoopBounds),
            _ => None,
        };
        let assumptions = self.unwinder.encoder.environment.iter().map(ToString::to_string).collect();
        let complete = matches!(outcome, Outcome::True) || self.properties.is_complete();
        leave_if_stopped((self.unwinder, self.solver), &outcome);
        let (outcome, properties) = self.properties.conclude(outcome, complete);
        Findings { outcome, proof, covered, assumptions, properties }
    }
}

/// Drops what a run has built, unless it was stopped: there may be gigabytes in small blocks, which take seconds to give
/// back, and there is no time left.
pub(crate) fn leave_if_stopped<T>(built: T, outcome: &Outcome) {
    if matches!(outcome, Outcome::Unknown { reason: Reason::Stopped(_) }) {
        std::mem::forget(built);
    }
}

/// An unwinder for a task, at its start.
pub(crate) fn unwinder<'p>(task: &Task<'p>, options: &Options) -> Unwinder<'p> {
    let mut encoder = Encoder::new(task.program, &task.analyses.points_to, faults(task.goals));
    let errors = error_functions(task.program, task.goals);
    encoder.left_to_caller = errors.clone();
    Unwinder::new(encoder, &task.analyses.loops, &task.analyses.order, errors, bounds(options))
}

fn bounds(options: &Options) -> Bounds {
    Bounds {
        all: 0,
        recursion: 0,
        loops: options.max_unwind_of.clone(),
        searches: FxHashMap::default(),
        free: options.free,
        free_steps: u64::MAX,
    }
}

/// A solver's answer, or why there is none.
pub(crate) fn is_satisfiable(answer: Result<CheckResult, SolverError>) -> Result<bool, Reason> {
    match answer {
        Ok(CheckResult::Sat) => Ok(true),
        Ok(CheckResult::Unsat) => Ok(false),
        Ok(CheckResult::Unknown(reason)) => Err(Reason::Stopped(reason)),
        Err(error) => Err(error.into()),
    }
}

/// The functions whose calls the goals forbid.
pub(crate) fn error_functions(program: &Program, goals: &[Goal]) -> FxHashSet<FunctionId> {
    let is_error = |name: &str| goals.iter().any(|goal| *goal == Goal::UnreachableCall(name.into()));
    program.functions.ids().filter(|&function| is_error(program.function_name(function))).collect()
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
