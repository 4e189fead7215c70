//! Predicate abstraction with large blocks, counterexample-guided and lazy.
//!
//! (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: "Software Model Checking via Large-Block
//! Encoding", FMCAD 2009.) [`template`] has the [blocks](Blocks), [`abstraction`] explores them with the
//! predicates that there are, building the abstract reachability graph of [regions](regions), [`path`] finds out whether a way to an error is real, and a
//! [`Refinement`] finds predicates that rule it out if it is not.

mod abstraction;
mod blocks;
mod candidates;
mod condition;
mod copies;
mod families;
mod implied;
mod interpolation;
mod invariant;
mod linking;
mod path;
mod policy;
mod precision;
mod refine;
mod regions;
mod relations;
mod samples;
mod statistics;
mod template;

use crate::counterexample::{read_model, violated};
use crate::options::Options as Unwinding;
use crate::outcome::{Findings, Outcome, Proof, Reason, Task};
use abstraction::{Abstraction, Origin, Passage, Reached};
use cfa::loops::LoopId;
use domains::monitors::{Limit, Limits};
use path::Follower;
use refine::{Derivation, Refinement, Step};
use regions::Regions;
use std::time::{Duration, Instant};
use task::condition::{OpenPlace, Part};
use term::TermId;

pub use blocks::Blocks;
pub(crate) use blocks::Shape;
pub use invariant::{Invariants, check};
pub use precision::{Precision, PrecisionError};
pub use refine::RefinementKind;
pub use statistics::Statistics;
pub(crate) use template::Template;

/// What can be set about the engine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub blocks: Blocks,
    pub abstraction: AbstractionKind,
    pub refinement: RefinementKind,
    pub scope: Scope,
    /// Predicates to start with.
    pub precision: Option<Precision>,
    pub limits: Limits,
    /// Forgets memory that is much, and long products, also where formulas are small.
    pub is_coarse: bool,
}

/// Where a new predicate is used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Scope {
    /// At the location that it was found for.
    #[default]
    Location,
    /// At all locations of the function, where it can be said.
    Function,
    /// Wherever it can be said.
    Global,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AbstractionKind {
    /// All combinations of the predicates that are reached.
    #[default]
    Boolean,
    /// What is known of each predicate by itself.
    Cartesian,
}

/// Refines until there is an answer, or the budget is used up.
pub fn run(task: Task<'_>, options: &Options, unwinding: &Unwinding) -> (Findings, Statistics) {
    let mut statistics = Statistics::default();
    let (begun, sat_before) = (Instant::now(), smt::sat::time_spent());
    let findings = deepen(task, options, unwinding, &mut statistics);
    statistics.total = begun.elapsed();
    statistics.sat = smt::sat::time_spent() - sat_before;
    (findings, statistics)
}

/// Follows recursion deeper and deeper. Memory that is not encoded exactly is an obstacle only where going on
/// behind it is too much.
fn deepen(task: Task<'_>, options: &Options, unwinding: &Unwinding, statistics: &mut Statistics) -> Findings {
    let mut shape =
        Shape { blocks: options.blocks, recursion: 0, approximates: true, is_coarse: options.is_coarse };
    let mut verified = 0;
    let regions = Regions::new();
    loop {
        let findings = match Engine::new(task, options, unwinding, (shape, &regions), statistics) {
            Ok(engine) => engine.run(statistics, &mut verified),
            Err(reason) => Findings::new(Outcome::Unknown { reason }),
        };
        let is_deeper = matches!(findings.outcome, Outcome::Unknown { reason: Reason::BoundReached });
        if !is_deeper || shape.recursion >= DEEPEST {
            return findings;
        }
        shape.recursion = 2 * shape.recursion + 1;
    }
}

/// A run that takes longer is looked at once more, exactly.
const SHORT_REPLAY: Duration = Duration::from_millis(500);

/// Recursion is followed, call by call, up to this depth.
const DEEPEST: u32 = 255;

/// Open places that are told, and the longest expression there.
const MOST_PLACES: usize = 100;
const LONGEST: usize = 1000;

struct Engine<'p> {
    task: Task<'p>,
    options: &'p Options,
    unwinding: &'p Unwinding,
    shape: Shape,
    template: Template<'p>,
    abstraction: Abstraction,
    refinement: Box<dyn Refinement>,
    follower: Follower<'p>,
    /// Why something was not refined any further.
    open: Option<Reason>,
}

impl<'p> Engine<'p> {
    fn new(
        task: Task<'p>,
        options: &'p Options,
        unwinding: &'p Unwinding,
        (mut shape, regions): (Shape, &Regions),
        statistics: &mut Statistics,
    ) -> Result<Self, Reason> {
        let before = Instant::now();
        let mut template = match Template::if_small(task, unwinding, shape)? {
            Some(template) => template,
            None => {
                shape.is_coarse = true;
                Template::new(task, unwinding, shape, None)?
            }
        };
        let is_cartesian = options.abstraction == AbstractionKind::Cartesian;
        let mut abstraction = Abstraction::new(&mut template, regions.clone(), is_cartesian, task.budget)?;
        abstraction.limits = options.limits.clone();
        if let Some(precision) = &options.precision {
            let predicates = precision.terms(&mut template, task.program);
            abstraction.refine(&mut template, &predicates)?;
        }
        statistics.post += before.elapsed();
        statistics.steps = template.unwinder.steps;
        statistics.blocks = (template.jumps.len(), template.returns.len(), template.ends.len());
        statistics.terms = template.pool().len();
        let refinement = options.refinement.refinement();
        let mut bounds = template.unwinder.bounds.clone();
        if template.is_exclusive {
            // Blocks know no values, so that every return of a loop is a step.
            bounds.free = 0;
        }
        let follower = Follower::new(task, unwinding, bounds, shape);
        let open = None;
        Ok(Self { task, options, unwinding, shape, template, abstraction, refinement, follower, open })
    }

    /// Also returns, by reference, the number of returns of loops up to which everything is verified.
    fn run(mut self, statistics: &mut Statistics, verified: &mut u32) -> Findings {
        let outcome = self.search(statistics).unwrap_or_else(|reason| Outcome::Unknown { reason });
        self.count(statistics);
        *verified = self.abstraction.verified.max(*verified);
        let assumptions =
            self.template.unwinder.encoder.environment.iter().map(ToString::to_string).collect();
        let covered = match &outcome {
            Outcome::Unknown { reason } if *verified > 0 => {
                Some(Part::Automaton(condition::automaton(self.task, *verified, self.open_places(reason))))
            }
            _ => None,
        };
        let proof = match outcome {
            Outcome::True => Some(Invariants::new(self.template, &self.abstraction, self.shape)),
            _ => None,
        };
        Findings { proof: proof.map(Proof::Predicates), covered, assumptions, ..Findings::new(outcome) }
    }

    /// Where states are that were given up, or not looked at.
    fn open_places(&self, reason: &Reason) -> Vec<OpenPlace> {
        let printer = invariant::printer(&self.template);
        let pool = &self.template.unwinder.encoder.pool;
        let mut places: Vec<OpenPlace> = self
            .abstraction
            .open()
            .filter_map(|state| {
                let location = self.template.jumps[state.jump].location;
                let here = &self.template.locations[location];
                let function = here.function?;
                let mut parts = pool.clone();
                let region =
                    invariant::formula(&mut parts, &self.abstraction.precision[location], &state.region);
                let because = match (state.is_given_up, reason) {
                    (true, Reason::Open(why)) => why.clone(),
                    _ => "the run was stopped there".into(),
                };
                Some(OpenPlace {
                    function: self.task.program.function_name(function).to_string(),
                    line: here.line,
                    when: invariant::expression(&parts, &printer, region)
                        .filter(|text| text.len() < LONGEST)?,
                    because,
                })
            })
            .collect();
        places.sort();
        places.dedup();
        places.truncate(MOST_PLACES);
        places
    }

    /// Counterexample-guided abstraction refinement.
    fn search(&mut self, statistics: &mut Statistics) -> Result<Outcome, Reason> {
        while let Some(end) = self.abstraction.explore(statistics)? {
            let derivation = self.derivation(&end, statistics)?;
            if let Some(outcome) = self.look_at_path(&derivation, statistics)? {
                return Ok(outcome);
            }
            match self.new_predicates(&derivation, statistics) {
                Ok(new) => self.abstraction.refine(&mut self.template, &new)?,
                Err(reason @ Reason::Open(_)) => {
                    self.abstraction.give_up(&end);
                    self.open.get_or_insert(reason);
                }
                Err(reason) => return Err(reason),
            }
        }
        match self.open.take() {
            Some(reason) => Err(reason),
            None => Ok(Outcome::True),
        }
    }

    /// Predicates that rule out a way, wherever they are to be used.
    fn new_predicates(
        &mut self,
        derivation: &Derivation,
        statistics: &mut Statistics,
    ) -> Result<Vec<(usize, TermId)>, Reason> {
        let before = Instant::now();
        let precision = &self.abstraction.precision;
        let limits = &self.options.limits;
        let budget = match limits.duration(Limit::RefineTime) {
            Some(time) => self.task.budget.clone().with_time(time),
            None => self.task.budget.clone(),
        };
        let new = self.refinement.refine(&mut self.template, precision, derivation, &budget);
        statistics.refinement += before.elapsed();
        statistics.refinements += 1;
        let new = match new {
            Err(Reason::Stopped(_)) if self.task.budget.check_now().is_ok() => {
                return Err(Reason::Open(format!("of the limit {}", limits.text(Limit::RefineTime))));
            }
            new => new?,
        };
        if new.is_empty() {
            return Err(Reason::Open("the predicates rule out a way that the abstraction finds".into()));
        }
        let family = families::complete(&mut self.template, &self.abstraction.precision, &new);
        Ok(self.spread([new, family].concat()))
    }

    /// Adds predicates to other locations, as far as the scope goes.
    fn spread(&mut self, new: Vec<(usize, TermId)>) -> Vec<(usize, TermId)> {
        let mut result = new.clone();
        for (from, predicate) in new {
            for to in 0..self.template.locations.len() {
                let here = &self.template.locations;
                let is_meant = match self.options.scope {
                    Scope::Location => false,
                    Scope::Function => here[from].function == here[to].function,
                    Scope::Global => true,
                };
                if is_meant
                    && let Some(predicate) = self.template.translate(predicate, from, to)
                    && !result.contains(&(to, predicate))
                    && !self.abstraction.precision[to].contains(&predicate)
                {
                    result.push((to, predicate));
                }
            }
        }
        result
    }

    fn look_at_path(
        &mut self,
        derivation: &Derivation,
        statistics: &mut Statistics,
    ) -> Result<Option<Outcome>, Reason> {
        let before = Instant::now();
        let returned = derivation.main_path().into_iter().filter_map(|step| match step.reached {
            Reached::Return(number) => self.template.returns[number].comes_back,
            Reached::End(_) => None,
        });
        let loops: Vec<LoopId> = returned.collect();
        if let Some(outcome) = self.replay_model(derivation)? {
            statistics.feasibility += before.elapsed();
            statistics.paths_checked += 1;
            return Ok(Some(outcome));
        }
        let mut found = self.follower.follow(&loops);
        if self.shape.is_coarse && matches!(found, Err(Reason::NotConfirmed(_))) {
            let shape = Shape { approximates: false, is_coarse: false, ..self.shape };
            let bounds = self.follower.bounds.clone();
            found = match Follower::new(self.task, self.unwinding, bounds, shape).follow(&loops) {
                Ok(None) => found,
                better => better,
            };
        }
        statistics.feasibility += before.elapsed();
        statistics.paths_checked += 1;
        found
    }

    /// A way to an error that starts at the start of the program is a run: if it can be replayed, it is real.
    fn replay_model(&mut self, derivation: &Derivation) -> Result<Option<Outcome>, Reason> {
        let [Step { reached: Reached::End(end), jumps, .. }] = derivation.steps.as_slice() else {
            return Ok(None);
        };
        let is_run = jumps.is_empty() && !self.template.is_exclusive;
        if !is_run || !self.template.ends[*end].is_violation {
            return Ok(None);
        }
        let encoder = &mut self.template.unwinder.encoder;
        let counterexample = read_model(encoder, self.abstraction.model())?;
        let task = self.task;
        let budget = task.budget.clone().with_time(SHORT_REPLAY);
        let ending = counterexample.replay(task.program, task.goals, &budget, &mut replay::Silent);
        Ok(violated(task.goals, &ending).map(|goal| Outcome::False { goal, counterexample }))
    }

    /// All that the way to an end depends on, each block after those that it comes from.
    fn derivation(&mut self, end: &Origin, statistics: &mut Statistics) -> Result<Derivation, Reason> {
        let step = |passage: Passage| Step {
            location: match passage.reached {
                Reached::Return(number) => Some(self.template.returns[number].location),
                Reached::End(_) => None,
            },
            reached: passage.reached,
            jumps: passage.jumps,
        };
        let passages = self.abstraction.passages(end, statistics)?;
        Ok(Derivation { steps: passages.into_iter().map(step).collect() })
    }

    fn count(&self, statistics: &mut Statistics) {
        let precision = &self.abstraction.precision;
        statistics.locations = precision.len();
        statistics.states = self.abstraction.states.len();
        statistics.reached = self.abstraction.alive().count();
        statistics.predicates = precision.iter().map(Vec::len).sum();
        statistics.most_predicates = precision.iter().map(Vec::len).max().unwrap_or(0);
        let pool = &self.template.unwinder.encoder.pool;
        let name = |location: usize| self.template.locations[location].name.clone();
        let all = precision.iter().enumerate().flat_map(|(at, of)| of.iter().map(move |&term| (at, term)));
        let printer = invariant::printer(&self.template);
        let text = |(at, term)| Some((name(at), invariant::expression(pool, &printer, term)?));
        statistics.texts = all.filter_map(text).collect();
    }
}
