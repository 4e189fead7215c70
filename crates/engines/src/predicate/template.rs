//! The program as large blocks between abstraction points, all of them in one formula.
//!
//! Abstraction points are the loop heads. The unwinder of the induction, at depth 0, executes every
//! block once, with all branches inside merged: from the start of the program, or from an *arbitrary*
//! state at a loop head (a jump), to all loop heads that a path comes back to (the returns) and to what
//! must not happen (the ends). What a loop cannot change keeps its terms across the loop's head, so no
//! predicate is ever needed to say that it stays the same.
//!
//! A predicate of a location is a term over *placeholders*, one for each value that can be observed
//! there; what it says in a visit is found by putting the visit's terms in their places.

use crate::bmc::unwinder;
use crate::changes::changes_of_loops;
use crate::options::Options;
use crate::outcome::{Reason, Task};
use crate::unwind::{Bounded, Induction, Unwinder, Visit};
use cfa::callgraph::CallGraph;
use invariants::{Candidates, Surroundings, Watched};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{TermId, TermPool};

/// Loops without choices are executed as they are, as long as the program has not taken more steps than these;
/// what comes later is abstracted.
pub const FREE_STEPS: u64 = 20_000;

/// What can be said at an abstraction point.
pub struct Location {
    pub observed: Vec<Watched>,
    /// For each observable that every visit has.
    pub placeholders: Vec<Option<TermId>>,
}

/// Where a block ends that is not to be left, and when.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub guard: TermId,
}

/// A visit of a location, as a way to read its predicates.
pub struct Reading {
    /// Index of the location.
    pub location: usize,
    pub path: TermId,
    pub assumed: TermId,
    pub jumps_before: usize,
    pub terms: Vec<Option<TermId>>,
    /// From terms over placeholders to terms over the visit.
    instances: FxHashMap<TermId, TermId>,
}

pub struct Template<'p> {
    pub unwinder: Unwinder<'p>,
    pub locations: Vec<Location>,
    pub jumps: Vec<Reading>,
    pub returns: Vec<Reading>,
    pub ends: Vec<End>,
}

impl<'p> Template<'p> {
    /// Executes all blocks, recursive calls up to a bound. With a pool, terms are built there: it may have
    /// terms over placeholders.
    pub fn new(
        task: Task<'p>,
        options: &Options,
        recursion: u32,
        pool: Option<TermPool>,
    ) -> Result<Self, Reason> {
        let mut unwinder = unwinder(&task, options);
        unwinder.bounds.recursion = recursion;
        unwinder.bounds.free_steps = FREE_STEPS;
        if let Some(pool) = pool {
            unwinder.encoder.pool = pool;
        }
        let (program, analyses) = (task.program, task.analyses);
        let (loops, points_to) = (&analyses.loops, &analyses.points_to);
        let calls = CallGraph::new(program, points_to);
        unwinder.changes = changes_of_loops(program, loops, points_to, &calls);
        unwinder.induction = Some(Induction::default());
        unwinder.bounds.loops.clear();
        let candidates =
            Candidates::new(Surroundings { program, loops, points_to, changes: &unwinder.changes });
        let observed = loops.loops.ids().map(|id| {
            let mut values = candidates.values_at(id);
            values.extend(candidates.values_of_callers(id, &calls));
            values
        });
        let observed: Vec<Vec<Watched>> = observed.collect();
        unwinder.watch.observables.clone_from(&observed);
        unwinder.watch.notes_returns = true;
        unwinder.run(task.budget).map_err(Reason::Stopped)?;
        let names =
            observed.iter().enumerate().map(|(index, watched)| placeholder_names(task, index, watched));
        let names: Vec<Vec<String>> = names.collect();
        let mut template = Self {
            locations: Vec::new(),
            jumps: Vec::new(),
            returns: Vec::new(),
            ends: Vec::new(),
            unwinder,
        };
        template.add_locations(observed, &names);
        template.add_ends();
        Ok(template)
    }

    pub fn pool(&mut self) -> &mut TermPool {
        &mut self.unwinder.encoder.pool
    }

    fn add_locations(&mut self, observed: Vec<Vec<Watched>>, names: &[Vec<String>]) {
        let jumps = std::mem::take(&mut self.unwinder.watch.jumps);
        let returns = std::mem::take(&mut self.unwinder.watch.returns);
        for (index, observed) in observed.into_iter().enumerate() {
            let visits: Vec<&Visit> =
                jumps.iter().chain(&returns).filter(|visit| visit.id.0 as usize == index).collect();
            let placeholders = (0..observed.len())
                .map(|number| placeholder(&mut self.unwinder.encoder.pool, &visits, number, &names[index]))
                .collect();
            self.locations.push(Location { observed, placeholders });
        }
        self.jumps = jumps.into_iter().map(|visit| self.reading(visit)).collect();
        self.returns = returns.into_iter().map(|visit| self.reading(visit)).collect();
    }

    fn reading(&self, visit: Visit) -> Reading {
        let location = visit.id.0 as usize;
        let placeholders = self.locations[location].placeholders.iter();
        let pairs = placeholders.zip(&visit.terms).filter_map(|(&from, &to)| Some((from?, to?)));
        let instances = pairs.collect();
        let Visit { path, assumed, terms, jumps_before, .. } = visit;
        Reading { location, path, assumed, jumps_before, terms, instances }
    }

    /// Violations, and what is not encoded: both must not be reached.
    fn add_ends(&mut self) {
        let unwinder = &mut self.unwinder;
        let recursive = unwinder.suspended.iter().filter(|path| matches!(path.by, Bounded::Recursion(_)));
        let mut guards: Vec<TermId> = recursive.map(|path| path.guard()).collect();
        guards.extend(unwinder.targets.iter().map(|target| target.guard));
        guards.extend(unwinder.obstacles.iter().map(|obstacle| obstacle.guard));
        let mut seen = FxHashSet::default();
        guards.retain(|&guard| guard != TermPool::FALSE && seen.insert(guard));
        self.ends = guards.into_iter().map(|guard| End { guard }).collect();
    }

    /// What always holds: paths jump wherever they can, and what is behind a jump counts at once.
    pub fn choices(&mut self) -> Vec<TermId> {
        let mut fixed = self.unwinder.watch.choices.clone();
        if let Some(induction) = &self.unwinder.induction {
            fixed.extend(induction.active.first());
        }
        fixed
    }

    pub fn at_jump(&mut self, jump: usize, predicate: TermId) -> TermId {
        self.unwinder.encoder.pool.substitute_cached(predicate, &mut self.jumps[jump].instances)
    }

    pub fn at_return(&mut self, number: usize, predicate: TermId) -> TermId {
        self.unwinder.encoder.pool.substitute_cached(predicate, &mut self.returns[number].instances)
    }
}

/// Unique names that read like the C expressions that are observed.
fn placeholder_names(task: Task<'_>, location: usize, watched: &[Watched]) -> Vec<String> {
    let text = |watched: &Watched| invariants::text_of(task.program, watched.observable);
    watched
        .iter()
        .enumerate()
        .map(|(number, watched)| format!("{}@{location}.{number}", text(watched)))
        .collect()
}

/// A placeholder, if all visits have the value.
fn placeholder(pool: &mut TermPool, visits: &[&Visit], number: usize, names: &[String]) -> Option<TermId> {
    let first = visits.first()?.terms[number]?;
    let sort = pool.sort(first);
    let all = visits.iter().all(|visit| visit.terms[number].is_some_and(|term| pool.sort(term) == sort));
    all.then(|| pool.variable(&names[number], sort))
}
