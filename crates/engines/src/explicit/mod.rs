//! Engine `explicit`: explicit-value analysis with conditions out and in.
//!
//! ("Conditional Model Checking", sections III and IV.) The CPA algorithm explores the program depth first.
//! An alarm is checked bit by bit and run by the interpreter before it counts. A path that a limit, an
//! unsupported construct or an alarm that is not real has cut is *open*: the condition that comes out names
//! it, and TRUE is only said if nothing is open.

mod alarm;
mod analysis;
mod condition;
mod environment;
mod minimise;

use crate::bmc::error_functions;
use crate::outcome::{Findings, Outcome, Reason, Task};
use alarm::{Alarm, Checker};
use analysis::{Choice, Cut, Explicit, PathEnd, State};
use base::{Budget, StopReason};
use cfa::EdgeId;
use cpa::{DepthFirst, NodeId, Pause, Reached, Waitlist};
use domains::automaton::Automata;
use domains::monitors::{Limit, Limits};
use domains::value::Code;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};
use task::Goal;
use task::condition::{Automaton, Part};

#[derive(Clone, Default, Debug)]
pub struct Options {
    pub limits: Limits,
}

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
    if let Some(goal) = task.goals.iter().find(|goal| !matches!(goal, Goal::UnreachableCall(_))) {
        let reason = Reason::Open(format!("the engine 'explicit' does not check {goal}"));
        return (Findings::new(Outcome::Unknown { reason }), Statistics::default());
    }
    let code = Code::new(task.program, &task.analyses.points_to);
    let automata = Automata::new(task.program, task.condition);
    let errors = error_functions(task.program, task.goals);
    let analysis = Explicit::new(&code, &task.analyses.loops, errors, automata, &options.limits);
    Engine::new(task, analysis, options).run()
}

struct Engine<'p> {
    analysis: Explicit<'p>,
    reached: Reached<Explicit<'p>>,
    waitlist: DepthFirst,
    checker: Checker<'p>,
    options: &'p Options,
    task: Task<'p>,
    start: Instant,
    /// Time spent on alarms.
    checking: Duration,
    /// Ends of paths up to this one have been looked at.
    seen: usize,
    /// Alarms that are not real, by the place they are at.
    infeasible: FxHashMap<EdgeId, u32>,
    /// Alarms to look at when there is nothing else to do.
    deferred: Vec<usize>,
    alarms: usize,
    /// Ends of paths by node; filled when a condition is made.
    ends: FxHashMap<NodeId, Vec<usize>>,
    /// Why an alarm could not be decided.
    undecided: Option<String>,
}

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
            reached: Reached::default(),
            waitlist: DepthFirst::default(),
            checker,
            options,
            task,
            start: Instant::now(),
            checking: Duration::ZERO,
            seen: 0,
            infeasible: FxHashMap::default(),
            deferred: Vec::new(),
            alarms: 0,
            ends: FxHashMap::default(),
            undecided: None,
        }
    }

    fn run(mut self) -> (Findings, Statistics) {
        self.start();
        let outcome = self.explore();
        let statistics = self.statistics();
        let covered = (!matches!(outcome, Outcome::True)).then(|| Part::Automaton(self.condition()));
        let assumptions = environment::assumptions(self.task.program);
        (Findings { covered, assumptions, ..Findings::new(outcome) }, statistics)
    }

    fn explore(&mut self) -> Outcome {
        loop {
            let pause = cpa::run(&mut self.analysis, &mut self.reached, &mut self.waitlist, self.task.budget);
            if let Some(outcome) = self.look_at_alarms() {
                return outcome;
            }
            match pause {
                Ok(Pause::End) => {}
                Ok(Pause::Done) => return self.finish(),
                Err(reason) => return Outcome::Unknown { reason: Reason::Stopped(reason) },
            }
        }
    }

    /// Nothing waits any more.
    fn finish(&mut self) -> Outcome {
        for index in std::mem::take(&mut self.deferred) {
            if let Some(outcome) = self.check(index) {
                return outcome;
            }
        }
        let cut = self.reached.ends.iter().find_map(|ended| match ended.end {
            PathEnd::Cut { at, why } => Some((at, why)),
            PathEnd::Alarm(_) => None,
        });
        let reason = match (self.reached.ends.first(), &self.undecided, cut) {
            (None, ..) => return Outcome::True,
            (_, _, Some((_, Cut::Limit(limit)))) => {
                Reason::Stopped(StopReason::Limit(self.options.limits.text(limit)))
            }
            (_, _, Some((at, Cut::Unsupported(what)))) => {
                let edge = self.analysis.program.locations[at].first_edge;
                Reason::Obstacle { what, edge }
            }
            (_, Some(why), None) => Reason::Open(why.clone()),
            _ => Reason::Open("values alone do not exclude all paths to an error".into()),
        };
        Outcome::Unknown { reason }
    }

    /// Looks at the alarms since the last time.
    fn look_at_alarms(&mut self) -> Option<Outcome> {
        while self.seen < self.reached.ends.len() {
            let index = self.seen;
            self.seen += 1;
            let PathEnd::Alarm(edge) = self.reached.ends[index].end else { continue };
            self.alarms += 1;
            let tried = self.infeasible.get(&edge).copied().unwrap_or(0);
            let busy = self.checking > self.start.elapsed() / 2 && self.checking > Duration::from_millis(300);
            if tried >= PATIENCE || busy && tried > 0 {
                self.deferred.push(index);
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
        let answer = self.checker.check(&path, &self.alarm_budget());
        self.checking += begun.elapsed();
        match answer {
            Alarm::Confirmed(goal, counterexample) => return Some(Outcome::False { goal, counterexample }),
            Alarm::Infeasible if self.refine() => return None,
            Alarm::Infeasible => {
                if let PathEnd::Alarm(edge) = self.reached.ends[index].end {
                    *self.infeasible.entry(edge).or_insert(0) += 1;
                }
            }
            Alarm::Open(why) => self.undecided = Some(why),
        }
        None
    }

    /// After an alarm that is not real: starts again with more precision, if there is more to be had.
    fn refine(&mut self) -> bool {
        if self.analysis.machine.symbolic {
            return false;
        }
        self.analysis.machine.symbolic = true;
        self.restart();
        true
    }

    fn restart(&mut self) {
        self.reached = Reached::default();
        self.waitlist = DepthFirst::default();
        self.seen = 0;
        self.infeasible.clear();
        self.deferred.clear();
        self.undecided = None;
        self.analysis.restart();
        self.start();
    }

    fn start(&mut self) {
        if let Some(initial) = self.analysis.initial() {
            self.waitlist.push(self.reached.add(&self.analysis, initial, None));
        }
    }

    fn alarm_budget(&self) -> Budget {
        let limits = &self.options.limits;
        let mut budget = self.task.budget.clone();
        let times = [limits.duration(Limit::RefineTime), self.analysis.progress.remaining()];
        for time in times.into_iter().flatten() {
            budget = budget.with_time(time);
        }
        if let Some(bytes) = limits.get(Limit::RefineMemory) {
            budget = budget.with_memory(base::budget::resident_memory().unwrap_or(0).saturating_add(bytes));
        }
        budget
    }

    /// All steps from the start of the program to where a path ended.
    fn path_to_end(&mut self, index: usize) -> Vec<Choice> {
        let ended = self.reached.ends[index].clone();
        let mut path = self.reached.path(ended.from);
        path.push((ended.from, ended.choice));
        let mut steps = Vec::new();
        for (node, choice) in path {
            let state = *self.reached.state(node);
            steps.extend(self.analysis.replay(&state, choice).0);
        }
        steps
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            states: self.reached.len(),
            steps: self.analysis.steps,
            alarms: self.alarms,
            memory: self.reached.memory() + self.analysis.shared_memory(),
            time: self.start.elapsed(),
        }
    }

    fn condition(&mut self) -> Automaton {
        for (index, ended) in self.reached.ends.iter().enumerate() {
            self.ends.entry(ended.from).or_default().push(index);
        }
        condition::build(self)
    }

    /// The nodes that nothing is known about yet.
    fn waiting(&self) -> Vec<NodeId> {
        self.waitlist.nodes()
    }

    /// The ends of paths from a node, by number.
    fn ends_of(&self, node: NodeId) -> Vec<usize> {
        // Ends are added in the order in which nodes are looked at, which is not that of their numbers.
        self.ends.get(&node).cloned().unwrap_or_default()
    }

    /// What is known in a state, as a C expression.
    fn describe_state(&mut self, state: &State) -> String {
        self.analysis.load(state);
        self.analysis.machine.describe()
    }

    fn state(&self, node: NodeId) -> State {
        *self.reached.state(node)
    }
}
