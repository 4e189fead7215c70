//! Predicate abstraction with large blocks, counterexample-guided and lazy.
//!
//! (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: "Software Model Checking via Large-Block
//! Encoding", FMCAD 2009.) [`template`] has the blocks, [`abstraction`] explores them with the
//! predicates that there are, [`path`] finds out whether a way to an error is real, and a
//! [`Refinement`] finds predicates that rule it out if it is not.

mod abstraction;
mod candidates;
mod invariant;
mod path;
mod refine;
mod relations;
mod samples;
mod statistics;
mod template;

use crate::options::Options as Unwinding;
use crate::outcome::{Findings, Outcome, Proof, Reason, Task};
use abstraction::{Abstraction, Origin, Reached, RegionId};
use cfa::loops::LoopId;
use refine::{Derivation, Linking, Refinement, Step};
use std::time::Instant;
use template::Template;

pub use invariant::{Invariants, check};
pub use statistics::Statistics;

/// What can be set about the engine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub abstraction: AbstractionKind,
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
    let mut recursion = 0;
    loop {
        let findings = match Engine::new(task, options, unwinding, recursion, &mut statistics) {
            Ok(engine) => engine.run(&mut statistics),
            Err(reason) => Findings::new(Outcome::Unknown { reason }),
        };
        let is_deeper = matches!(findings.outcome, Outcome::Unknown { reason: Reason::BoundReached });
        if !is_deeper || recursion >= DEEPEST {
            return (findings, statistics);
        }
        recursion = 2 * recursion + 1;
    }
}

/// Recursion is followed, call by call, up to this depth.
const DEEPEST: u32 = 255;

struct Engine<'p> {
    task: Task<'p>,
    unwinding: &'p Unwinding,
    template: Template<'p>,
    abstraction: Abstraction,
    refinement: Box<dyn Refinement>,
}

impl<'p> Engine<'p> {
    fn new(
        task: Task<'p>,
        options: &Options,
        unwinding: &'p Unwinding,
        recursion: u32,
        statistics: &mut Statistics,
    ) -> Result<Self, Reason> {
        let before = Instant::now();
        let mut template = Template::new(task, unwinding, recursion, None)?;
        let abstraction =
            Abstraction::new(&mut template, options.abstraction == AbstractionKind::Cartesian, task.budget)?;
        statistics.post += before.elapsed();
        Ok(Self { task, unwinding, template, abstraction, refinement: Box::new(Linking::default()) })
    }

    fn run(mut self, statistics: &mut Statistics) -> Findings {
        let outcome = self.search(statistics).unwrap_or_else(|reason| Outcome::Unknown { reason });
        self.count(statistics);
        let assumptions =
            self.template.unwinder.encoder.environment.iter().map(ToString::to_string).collect();
        let proof = match outcome {
            Outcome::True => Some(Proof::Predicates(Invariants::new(self.template, &self.abstraction))),
            _ => None,
        };
        Findings { proof, assumptions, ..Findings::new(outcome) }
    }

    /// Counterexample-guided abstraction refinement.
    fn search(&mut self, statistics: &mut Statistics) -> Result<Outcome, Reason> {
        while let Some(end) = self.abstraction.explore(statistics, self.task.budget)? {
            let derivation = self.derivation(&end);
            if let Some(outcome) = self.look_at_path(&derivation, statistics)? {
                return Ok(outcome);
            }
            let before = Instant::now();
            let precision = &self.abstraction.precision;
            let new = self.refinement.refine(&mut self.template, precision, &derivation, self.task.budget);
            statistics.refinement += before.elapsed();
            statistics.refinements += 1;
            let new = new?;
            if new.is_empty() {
                return Err(Reason::Open("the predicates rule out a way that the abstraction finds".into()));
            }
            self.abstraction.refine(&mut self.template, &new)?;
        }
        Ok(Outcome::True)
    }

    fn look_at_path(
        &mut self,
        derivation: &Derivation,
        statistics: &mut Statistics,
    ) -> Result<Option<Outcome>, Reason> {
        let before = Instant::now();
        let loops: Vec<LoopId> =
            derivation.main_path().into_iter().map(|location| LoopId(location as u32)).collect();
        let found = path::follow(self.task, self.unwinding, &loops, self.template.unwinder.bounds.recursion);
        statistics.feasibility += before.elapsed();
        statistics.paths_checked += 1;
        found
    }

    /// All that the way to an end depends on, each region after those that it comes from.
    fn derivation(&self, end: &Origin) -> Derivation {
        let mut needed: Vec<RegionId> = Vec::new();
        let mut stack: Vec<RegionId> = end.jumps.iter().map(|&(_, region)| region).collect();
        while let Some(id) = stack.pop() {
            if !needed.contains(&id) {
                needed.push(id);
                stack.extend(self.abstraction.region(id).origin.jumps.iter().map(|&(_, region)| region));
            }
        }
        // Regions are numbered in the order in which they were found.
        needed.sort_unstable();
        let position = |id: RegionId| needed.binary_search(&id).unwrap_or(0);
        let step = |origin: &Origin| Step {
            reached: origin.reached,
            jumps: origin.jumps.iter().map(|&(jump, region)| (jump, position(region))).collect(),
            location: match origin.reached {
                Reached::Return(number) => Some(self.template.returns[number].location),
                Reached::End(_) => None,
            },
        };
        let mut steps: Vec<Step> =
            needed.iter().map(|&id| step(&self.abstraction.region(id).origin)).collect();
        steps.push(step(end));
        Derivation { steps }
    }

    fn count(&self, statistics: &mut Statistics) {
        let precision = &self.abstraction.precision;
        statistics.locations = precision.len();
        statistics.regions = self.abstraction.regions.len();
        statistics.reached = self.abstraction.alive().count();
        statistics.predicates = precision.iter().map(Vec::len).sum();
        statistics.most_predicates = precision.iter().map(Vec::len).max().unwrap_or(0);
        let pool = &self.template.unwinder.encoder.pool;
        let all = precision.iter().enumerate().flat_map(|(at, of)| of.iter().map(move |&term| (at, term)));
        statistics.texts = all.map(|(at, term)| (at, invariant::expression(pool, term))).collect();
    }
}
