//! Engine `explicit`: explicit-value analysis with conditions out and in.
//!
//! ("Conditional Model Checking", sections III and IV.) The CPA algorithm explores the program depth first.
//! An alarm is checked bit by bit and run by the interpreter before it counts. A path that a limit, an
//! unsupported construct or an alarm that is not real has cut is *open*: the condition that comes out names
//! it, and TRUE is only said if nothing is open.

mod alarm;
mod analysis;
mod condition;
mod configuration;
mod environment;
mod graph;
mod measure;
pub(crate) mod minimise;
mod other_paths;
mod proof;
mod refine;

pub use configuration::{Merge, Options, Order};
pub use graph::Form;
pub use measure::explore;

use crate::bmc::error_functions;
use crate::outcome::{Findings, Outcome, Reason, Task};
use alarm::{Alarm, Checker};
use analysis::{Choice, Explicit, State};
use base::{Budget, StopReason};
use cfa::{EdgeId, LocationId};
use cpa::{NodeId, Pause, Product, Reached, Successor, Waitlist};
use domains::automaton::Automata;
use domains::loopbound::LoopCounts;
use domains::monitors::Limit;
use domains::overflow::OverflowMonitor;
use domains::storage::{Because, Excluded};
use domains::value::{Code, NodeId as Operand};
use other_paths::OtherPaths;
use refine::Mode;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};
use task::Goal;
use task::condition::Part;

#[derive(Clone, Copy, Default, Debug)]
pub struct Statistics {
    pub states: usize,
    /// Edges followed: abstract successors.
    pub steps: u64,
    pub alarms: usize,
    /// Bytes in use for states, everything included.
    pub memory: usize,
    pub time: Duration,
}

pub fn run(task: Task<'_>, options: &Options) -> (Findings, Statistics) {
    let (findings, statistics, _) = run_and_draw(task, options, None);
    (findings, statistics)
}

/// With the abstract reachability graph, if it is asked for.
pub fn run_and_draw(
    task: Task<'_>,
    options: &Options,
    form: Option<Form>,
) -> (Findings, Statistics, Option<String>) {
    let is_checked = |goal: &&Goal| matches!(goal, Goal::UnreachableCall(_) | Goal::NoOverflow);
    if let Some(goal) = task.goals.iter().find(|goal| !is_checked(goal)) {
        let reason = Reason::Open(format!("the engine 'explicit' does not check {goal}"));
        return (Findings::new(Outcome::Unknown { reason }), Statistics::default(), None);
    }
    let (code, overflow) = code(&task);
    let mut engine = Engine::new(task, analysis(&task, &code, overflow, options), options);
    let (findings, statistics) = engine.run();
    let graph = form.map(|form| engine.draw(form));
    (findings, statistics, graph)
}

/// The program as the domains need it, and the monitor of overflows, which is off unless they violate a goal.
fn code<'p>(task: &Task<'p>) -> (Code<'p>, OverflowMonitor<Operand>) {
    let points_to = &task.analyses.points_to;
    match task.goals.contains(&Goal::NoOverflow) {
        true => Code::with_overflow_monitor(task.program, points_to),
        false => (Code::new(task.program, points_to), OverflowMonitor::new(Vec::new())),
    }
}

fn analysis<'p>(
    task: &Task<'p>,
    code: &'p Code<'p>,
    overflow: OverflowMonitor<Operand>,
    options: &Options,
) -> Explicit<'p> {
    let loops = &task.analyses.loops;
    let given = Product {
        first: Automata::new(task.program, task.condition),
        second: LoopCounts::new(task.program, loops, task.condition),
    };
    let errors = error_functions(task.program, task.goals);
    let mut analysis = Explicit::new(code, overflow, loops, errors, given, &options.limits);
    analysis.joins = options.merge == Merge::Join;
    analysis.machine.bounded = analysis.joins;
    analysis.order = (options.order == Order::Topological).then_some(&task.analyses.order);
    analysis
}

/// The sets of one exploration.
struct Stage<'p> {
    reached: Reached<Explicit<'p>>,
    waitlist: Box<dyn Waitlist>,
    /// Ends of paths up to this one have been looked at.
    seen: usize,
    /// Alarms that are not real, or not decided, by the place they are at.
    in_vain: FxHashMap<EdgeId, u32>,
    /// Alarms to look at when there is nothing else to do.
    deferred: Vec<usize>,
    /// Why an alarm could not be decided.
    undecided: Option<String>,
}

impl Stage<'_> {
    fn new(order: Order) -> Self {
        Self {
            reached: Reached::default(),
            waitlist: order.waitlist(),
            seen: 0,
            in_vain: FxHashMap::default(),
            deferred: Vec::new(),
            undecided: None,
        }
    }
}

struct Engine<'p> {
    analysis: Explicit<'p>,
    stage: Stage<'p>,
    /// The exploration with all variables, while one with fewer is tried.
    parked: Option<Stage<'p>>,
    mode: Mode,
    checker: Checker<'p>,
    options: &'p Options,
    task: Task<'p>,
    start: Instant,
    /// Time spent on alarms.
    checking: Duration,
    alarms: usize,
    /// States of explorations that were begun anew.
    earlier_states: usize,
}

/// At most so many other paths are tried to each of so many alarms.
const OTHER_PATHS: usize = 500;
const MAX_ALARMS: usize = 20;

/// An alarm may take this part of the time that is left: so much is not lost with it, and what is built for a
/// large formula can be taken apart again in time.
const ALARM_SHARE: f64 = 0.7;

/// The part of the time that is left for telling what has been verified, which takes a while with millions of states.
const CONDITION_SHARE: f64 = 0.08;

/// Alarms at one place that turn out not to be real, before others there have to wait.
const PATIENCE: u32 = 20;

impl<'p> Engine<'p> {
    fn new(task: Task<'p>, analysis: Explicit<'p>, options: &'p Options) -> Self {
        let checker = Checker {
            program: task.program,
            points_to: &task.analyses.points_to,
            goals: task.goals,
            formula_size: options.limits.get(Limit::FormulaSize),
        };
        Self {
            analysis,
            stage: Stage::new(options.order),
            parked: None,
            mode: Mode::new(options),
            checker,
            options,
            task,
            start: Instant::now(),
            checking: Duration::ZERO,
            alarms: 0,
            earlier_states: 0,
        }
    }

    fn run(&mut self) -> (Findings, Statistics) {
        self.analysis.patience = self.mode.patience();
        self.start();
        let mut outcome = self.explore();
        let statistics = self.statistics();
        let proof = match outcome {
            Outcome::True if self.options.proof => match self.proof() {
                Ok(proof) => Some(proof),
                Err(reason) => {
                    outcome = Outcome::Unknown { reason };
                    None
                }
            },
            _ => None,
        };
        // Who gets a counterexample does not want to wait for more.
        let is_false = matches!(outcome, Outcome::False { .. });
        let covered = match outcome {
            Outcome::True => None,
            _ => Some(Part::Automaton(condition::build(self, is_false))),
        };
        let assumptions = environment::assumptions(self.task.program);
        (Findings { covered, proof, assumptions, ..Findings::new(outcome) }, statistics)
    }

    fn explore(&mut self) -> Outcome {
        let budget = self.task.budget.clone().leaving(CONDITION_SHARE);
        loop {
            let stage = &mut self.stage;
            let pause = cpa::run(&mut self.analysis, &mut stage.reached, stage.waitlist.as_mut(), &budget);
            if let Some(outcome) = self.look_at_alarms() {
                return outcome;
            }
            if std::mem::take(&mut self.mode.restarted) {
                continue;
            }
            match pause {
                Ok(Pause::End) => {}
                Ok(Pause::Done) => match self.finish() {
                    Some(outcome) => return outcome,
                    None => self.mode.restarted = false,
                },
                Err(reason) if self.mode.is_change(&reason) => {
                    self.change_mode();
                    self.mode.restarted = false;
                }
                Err(reason) => return Outcome::Unknown { reason: Reason::Stopped(reason) },
            }
        }
    }

    /// Nothing waits any more. There is no outcome yet if an alarm has led to a new start.
    fn finish(&mut self) -> Option<Outcome> {
        for index in std::mem::take(&mut self.stage.deferred) {
            if self.is_over() {
                break;
            }
            let outcome = self.check(index);
            if outcome.is_some() || self.mode.restarted {
                return outcome;
            }
        }
        if self.stage.reached.ends.is_empty() {
            return Some(Outcome::True);
        }
        if self.mode.is_attempt() {
            self.change_mode();
            return None;
        }
        if self.is_obstructed() && self.refine_values() {
            return None;
        }
        if let Some(outcome) = self.try_other_paths() {
            return Some(outcome);
        }
        Some(Outcome::Unknown { reason: self.what_is_open() })
    }

    /// Some path comes to what is not modelled; with more precision it may not. (Alarms on other paths would
    /// have asked for it, but what a condition covers raises none.)
    fn is_obstructed(&self) -> bool {
        let mut ends = self.stage.reached.ends.iter();
        ends.any(|ended| matches!(self.analysis.storage.get(ended.end).because, Because::Unsupported(_)))
    }

    /// An alarm is known by one path to it. Where that one is not feasible, another one may be.
    fn try_other_paths(&mut self) -> Option<Outcome> {
        let alarms: Vec<usize> = (0..self.stage.reached.ends.len())
            .filter(|&index| self.alarm_at(index).is_some())
            .take(MAX_ALARMS)
            .collect();
        let mut ways = OtherPaths::new(&self.stage.reached);
        let patience = self.start.elapsed().max(Duration::from_secs(5));
        let begun = Instant::now();
        for _ in 0..OTHER_PATHS {
            for &index in &alarms {
                let budget = self.alarm_budget();
                budget.check_now().ok().filter(|()| begun.elapsed() < patience)?;
                let ended = self.stage.reached.ends[index].clone();
                let mut path = ways.path(&self.stage.reached, ended.from);
                path.push((ended.from, ended.choice));
                let steps = self.steps_of(&path)?;
                if self.analysis.is_feasible(&steps, &budget)
                    && let Alarm::Confirmed(goal, counterexample) = self.checker.check(&steps, &budget)
                {
                    return Some(Outcome::False { goal, counterexample });
                }
            }
        }
        None
    }

    fn what_is_open(&self) -> Reason {
        let ends = self.stage.reached.ends.iter();
        let mut excluded = ends.map(|ended| self.analysis.storage.get(ended.end));
        match (excluded.find(|excluded| excluded.because.alarm().is_none()), &self.stage.undecided) {
            (Some(Excluded { because: Because::Limit(limit), .. }), _) => {
                Reason::Stopped(StopReason::Limit(self.options.limits.text(limit)))
            }
            (Some(Excluded { because: Because::Unsupported(what), at }), _) => {
                let edge = self.analysis.program.locations[at].first_edge;
                Reason::Obstacle { what, edge }
            }
            (_, Some(why)) => Reason::Open(why.clone()),
            (_, None) => Reason::Open("values alone do not exclude all paths to an error".into()),
        }
    }

    /// Looks at the alarms since the last time.
    fn look_at_alarms(&mut self) -> Option<Outcome> {
        while self.stage.seen < self.stage.reached.ends.len() && !self.mode.restarted {
            let index = self.stage.seen;
            if self.alarm_budget().check_now().is_err() {
                return None;
            }
            self.stage.seen += 1;
            let Some(edge) = self.alarm_at(index) else { continue };
            self.alarms += 1;
            let tried = self.stage.in_vain.get(&edge).copied().unwrap_or(0);
            let busy = self.checking > self.start.elapsed() / 2 && self.checking > Duration::from_millis(300);
            if tried >= PATIENCE || busy && tried > 0 {
                self.stage.deferred.push(index);
                continue;
            }
            if let Some(outcome) = self.check(index) {
                return Some(outcome);
            }
        }
        None
    }

    /// Whether an alarm is real.
    fn check(&mut self, index: usize) -> Option<Outcome> {
        let begun = Instant::now();
        let path = self.path_to_end(index);
        let outcome = path.and_then(|path| self.check_path(index, &path));
        self.checking += begun.elapsed();
        outcome
    }

    fn check_path(&mut self, index: usize, path: &[Choice]) -> Option<Outcome> {
        if self.refine_tracking(path) {
            return None;
        }
        match self.checker.check(path, &self.alarm_budget()) {
            Alarm::Confirmed(goal, counterexample) => return Some(Outcome::False { goal, counterexample }),
            Alarm::Infeasible if self.refine_values() => {}
            Alarm::Infeasible if self.mode.gives_up() => self.change_mode(),
            Alarm::Infeasible => self.count_in_vain(index),
            Alarm::Open(why) => {
                self.stage.undecided = Some(why);
                self.count_in_vain(index);
            }
        }
        None
    }

    /// The edge that violates the goal, if an end of a path is an alarm.
    fn alarm_at(&self, index: usize) -> Option<EdgeId> {
        self.analysis.storage.get(self.stage.reached.ends[index].end).because.alarm()
    }

    fn count_in_vain(&mut self, index: usize) {
        if let Some(edge) = self.alarm_at(index) {
            *self.stage.in_vain.entry(edge).or_insert(0) += 1;
        }
    }

    /// Explores from the start, with what the precision is now.
    fn restart(&mut self) {
        self.earlier_states += self.stage.reached.len();
        self.stage = Stage::new(self.options.order);
        self.mode.restarted = true;
        self.analysis.restart();
        self.start();
    }

    fn start(&mut self) {
        if let Some(initial) = self.analysis.initial() {
            let rank = cpa::Analysis::rank(&self.analysis, &initial);
            self.stage.waitlist.push(self.stage.reached.add(&self.analysis, initial, None), rank);
        }
    }

    fn alarm_budget(&self) -> Budget {
        let limits = &self.options.limits;
        let mut budget = self.task.budget.clone();
        let share = self.time_left().map(|left| left.mul_f64(ALARM_SHARE));
        let times = [limits.duration(Limit::RefineTime), share];
        for time in times.into_iter().flatten() {
            budget = budget.with_time(time);
        }
        if let Some(bytes) = limits.get(Limit::RefineMemory) {
            budget = budget.with_memory(base::memory::resident().unwrap_or(0).saturating_add(bytes));
        }
        budget
    }

    /// All steps from the start of the program to where a path ended.
    fn path_to_end(&mut self, index: usize) -> Option<Vec<Choice>> {
        let ended = self.stage.reached.ends[index].clone();
        let mut path = self.stage.reached.path(ended.from);
        path.push((ended.from, ended.choice));
        self.steps_of(&path)
    }

    /// `None` if there is no time left for it, or if states on the way have been merged with others since, so
    /// that it is not known any more how the path went on.
    fn steps_of(&mut self, path: &[(NodeId, Choice)]) -> Option<Vec<Choice>> {
        let (mut steps, budget) = (Vec::new(), self.alarm_budget());
        for (index, &(node, choice)) in path.iter().enumerate() {
            budget.check().ok()?;
            let (line, successor) = self.analysis.replay(&self.state(node), choice);
            steps.extend(line);
            if let Some(&(next, _)) = path.get(index + 1) {
                let Successor::State(new) = successor else { return None };
                let next = self.state(next);
                if (new.location, new.stack) != (next.location, next.stack) {
                    return None;
                }
            }
        }
        Some(steps)
    }

    fn statistics(&self) -> Statistics {
        let parked = self.parked.as_ref().map(|stage| &stage.reached);
        Statistics {
            states: self.earlier_states + parked.map_or(0, Reached::len) + self.stage.reached.len(),
            steps: self.analysis.steps,
            alarms: self.alarms,
            memory: self.stage.reached.memory()
                + parked.map_or(0, Reached::memory)
                + self.analysis.shared_memory(),
            time: self.start.elapsed(),
        }
    }

    /// Until the run is to end, if its time is limited.
    fn time_left(&self) -> Option<Duration> {
        let left = [self.task.budget.remaining(), self.analysis.monitors.first.remaining()];
        left.into_iter().flatten().min()
    }

    /// There is no time, or no memory, left.
    fn is_over(&self) -> bool {
        let is_late = self.time_left().is_some_and(|time| time.is_zero());
        let used = base::memory::resident().unwrap_or(0);
        let is_full = self.options.limits.exceeded(Limit::Memory, used);
        is_late || is_full || self.task.budget.check_now().is_err()
    }

    /// The nodes that nothing is known about yet.
    fn waiting(&self) -> Vec<NodeId> {
        self.stage.waitlist.nodes()
    }

    /// What is known in a state, as a C expression.
    fn describe_state(&mut self, state: &State) -> String {
        self.analysis.load(state);
        self.analysis.machine.describe()
    }

    fn line_of(&self, location: LocationId) -> u32 {
        let program = self.analysis.program;
        let span = program.leaving(location).first().map(|edge| edge.span);
        span.and_then(|span| program.sources.position(span)).map_or(0, |position| position.line)
    }

    fn state(&self, node: NodeId) -> State {
        *self.stage.reached.state(node)
    }
}

#[cfg(test)]
mod tests;
