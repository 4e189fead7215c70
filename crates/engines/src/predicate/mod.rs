//! Predicate abstraction with large blocks, counterexample-guided and lazy.
//!
//! (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: "Software Model Checking via Large-Block
//! Encoding", FMCAD 2009.) [`template`] has the [blocks](Blocks), [`abstraction`] explores them with the
//! predicates that there are, building the abstract reachability graph of [regions](regions), [`path`] finds out whether a way to an error is real, and a
//! [`Refinement`] finds predicates that rule it out if it is not.

mod abstraction;
mod blocks;
mod candidates;
mod implied;
mod invariant;
mod path;
mod precision;
mod refine;
mod regions;
mod relations;
mod samples;
mod statistics;
mod template;

use crate::options::Options as Unwinding;
use crate::outcome::{Findings, Outcome, Proof, Reason, Task};
use abstraction::{Abstraction, Origin, Passage, Reached};
use cfa::loops::LoopId;
use refine::{Derivation, Linking, Refinement, Step};
use std::time::Instant;
use template::Template;
use term::TermId;

pub use blocks::Blocks;
pub use invariant::{Invariants, check};
pub use precision::{Precision, PrecisionError};
pub use statistics::Statistics;

/// What can be set about the engine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub blocks: Blocks,
    pub abstraction: AbstractionKind,
    pub scope: Scope,
    /// Predicates to start with.
    pub precision: Option<Precision>,
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

/// Follows recursion deeper and deeper.
fn deepen(task: Task<'_>, options: &Options, unwinding: &Unwinding, statistics: &mut Statistics) -> Findings {
    let mut recursion = 0;
    loop {
        let findings = match Engine::new(task, options, unwinding, recursion, statistics) {
            Ok(engine) => engine.run(statistics),
            Err(reason) => Findings::new(Outcome::Unknown { reason }),
        };
        let is_deeper = matches!(findings.outcome, Outcome::Unknown { reason: Reason::BoundReached });
        if !is_deeper || recursion >= DEEPEST {
            return findings;
        }
        recursion = 2 * recursion + 1;
    }
}

/// Recursion is followed, call by call, up to this depth.
const DEEPEST: u32 = 255;

struct Engine<'p> {
    task: Task<'p>,
    options: &'p Options,
    unwinding: &'p Unwinding,
    template: Template<'p>,
    abstraction: Abstraction,
    refinement: Box<dyn Refinement>,
    /// Why something was not refined any further.
    open: Option<Reason>,
}

impl<'p> Engine<'p> {
    fn new(
        task: Task<'p>,
        options: &'p Options,
        unwinding: &'p Unwinding,
        recursion: u32,
        statistics: &mut Statistics,
    ) -> Result<Self, Reason> {
        let before = Instant::now();
        let mut template = Template::new(task, unwinding, (options.blocks, recursion), None)?;
        let is_cartesian = options.abstraction == AbstractionKind::Cartesian;
        let mut abstraction = Abstraction::new(&mut template, is_cartesian, task.budget)?;
        if let Some(precision) = &options.precision {
            let predicates = precision.terms(&mut template, task.program);
            abstraction.refine(&mut template, &predicates)?;
        }
        statistics.post += before.elapsed();
        let refinement = Box::new(Linking::default());
        Ok(Self { task, options, unwinding, template, abstraction, refinement, open: None })
    }

    fn run(mut self, statistics: &mut Statistics) -> Findings {
        let outcome = self.search(statistics).unwrap_or_else(|reason| Outcome::Unknown { reason });
        self.count(statistics);
        let assumptions =
            self.template.unwinder.encoder.environment.iter().map(ToString::to_string).collect();
        let proof = match outcome {
            Outcome::True => Some(Invariants::new(self.template, &self.abstraction, self.options.blocks)),
            _ => None,
        };
        Findings { proof: proof.map(Proof::Predicates), assumptions, ..Findings::new(outcome) }
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
        let new = self.refinement.refine(&mut self.template, precision, derivation, self.task.budget);
        statistics.refinement += before.elapsed();
        statistics.refinements += 1;
        let new = new?;
        if new.is_empty() {
            return Err(Reason::Open("the predicates rule out a way that the abstraction finds".into()));
        }
        Ok(self.spread(new))
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
        let mut bounds = self.template.unwinder.bounds.clone();
        if self.template.is_exclusive {
            // Blocks know no values, so that every return of a loop is a step.
            bounds.free = 0;
        }
        let found = path::follow(self.task, self.unwinding, &loops, &bounds);
        statistics.feasibility += before.elapsed();
        statistics.paths_checked += 1;
        found
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
