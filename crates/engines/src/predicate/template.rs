//! The program as large blocks between abstraction points, all of them in one formula.
//!
//! Abstraction points are the loop heads, and others as [`Blocks`] say. The unwinder of the induction, at
//! depth 0, executes every block once, with all branches inside merged: from the start of the program, or from an *arbitrary*
//! state at a loop head (a jump), to all loop heads that a path comes back to (the returns) and to what
//! must not happen (the ends). What a loop cannot change keeps its terms across the loop's head, so no
//! predicate is ever needed to say that it stays the same. With small blocks, everything is forgotten at
//! every point, and each block has one jump: where it starts.
//!
//! A predicate of a location is a term over *placeholders*, one for each value that can be observed
//! there; what it says in a visit is found by putting the visit's terms in their places.

use super::blocks::{Blocks, Shape};
use crate::bmc::unwinder;
use crate::changes::{changes_of_functions, changes_of_loops};
use crate::options::Options;
use crate::outcome::{Reason, Task};
use crate::unwind::{Bounded, CutKind, Cuts, Induction, START, Unwinder, Visit};
use cfa::callgraph::CallGraph;
use cfa::loops::LoopId;
use cfa::{FunctionId, LocationId};
use domains::automaton::Automata;
use encode::Encoder;
use invariants::{Candidates, Surroundings, Watched};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use term::{TermId, TermPool};

/// Loops without choices are executed as they are, as long as the program has not taken more steps than these;
/// what comes later is abstracted.
pub const FREE_STEPS: u64 = 20_000;

/// Formulas with more terms are encoded coarsely.
const MOST_TERMS: usize = 300_000;
/// So are those with more terms than these, if so many cases are due to accesses to one of many objects.
const MANY_TERMS: usize = 50_000;
const MANY_CASES: usize = 1_000;

/// What can be said at an abstraction point.
pub struct Location {
    pub name: String,
    pub function: Option<FunctionId>,
    /// In the text; 0 if it has no place there.
    pub line: u32,
    pub observed: Vec<Watched>,
    /// For each observable that every visit has, and for where the automata of a condition are, if that matters.
    pub placeholders: Vec<Option<TermId>>,
}

/// Where a block ends that is not to be left, and when.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub guard: TermId,
    /// The property is violated there; otherwise, something is not encoded.
    pub is_violation: bool,
}

/// For each return and each end, the jumps that blocks to it start from.
pub struct Starts {
    pub of_returns: Vec<Vec<usize>>,
    pub of_ends: Vec<Vec<usize>>,
}

/// A visit of a location, as a way to read its predicates.
pub struct Reading {
    /// Index of the location.
    pub location: usize,
    /// Of a return: the jump that goes on from here.
    pub jump: Option<usize>,
    /// Of a return: the loop that has come back to its head.
    pub comes_back: Option<LoopId>,
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
    /// Every block has one jump, where it starts; the others are switched off.
    pub is_exclusive: bool,
}

impl<'p> Template<'p> {
    /// Executes all blocks, recursive calls up to a bound. With a pool, terms are built there: it may have
    /// terms over placeholders.
    pub fn new(
        task: Task<'p>,
        options: &Options,
        shape: Shape,
        pool: Option<TermPool>,
    ) -> Result<Self, Reason> {
        let mut unwinder = start(task, options, shape, pool);
        unwinder.run(task.budget).map_err(Reason::Stopped)?;
        Self::of(task, unwinder)
    }

    /// The same, or none if that is too much without a coarse encoding.
    pub fn if_small(task: Task<'p>, options: &Options, shape: Shape) -> Result<Option<Self>, Reason> {
        let mut unwinder = start(task, options, shape, None);
        let is_small = |encoder: &Encoder<'_>| {
            let terms = encoder.pool.len();
            terms <= MANY_TERMS || (encoder.told_apart < MANY_CASES && terms <= MOST_TERMS)
        };
        let is_complete = unwinder.run_while(is_small, task.budget).map_err(Reason::Stopped)?;
        is_complete.then(|| Self::of(task, unwinder)).transpose()
    }

    fn of(task: Task<'p>, unwinder: Unwinder<'p>) -> Result<Self, Reason> {
        let is_exclusive = unwinder.cuts.is_full();
        let (locations, jumps, returns, ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut template = Self { locations, jumps, returns, ends, unwinder, is_exclusive };
        template.add_locations(task)?;
        template.add_ends();
        Ok(template)
    }

    pub fn pool(&mut self) -> &mut TermPool {
        &mut self.unwinder.encoder.pool
    }

    fn add_locations(&mut self, task: Task<'_>) -> Result<(), Reason> {
        let jumps = std::mem::take(&mut self.unwinder.watch.jumps);
        let returns = std::mem::take(&mut self.unwinder.watch.returns);
        let mut visits: BTreeMap<u32, Vec<&Visit>> = BTreeMap::new();
        for id in task.analyses.loops.loops.ids() {
            visits.insert(id.0, Vec::new());
        }
        for visit in jumps.iter().chain(&returns) {
            visits.entry(visit.point).or_default().push(visit);
        }
        let mut locations = FxHashMap::default();
        for (point, visits) in visits {
            locations.insert(point, self.locations.len());
            let (name, function, line) = describe(task, point);
            let observed = self.observed(point, function);
            let names = placeholder_names(task, self.locations.len(), &observed);
            let count = visits.iter().map(|visit| visit.terms.len()).max().unwrap_or(observed.len());
            let placeholders = (0..count)
                .map(|number| placeholder(&mut self.unwinder.encoder.pool, &visits, number, &names))
                .collect();
            self.locations.push(Location { name, function, line, observed, placeholders });
        }
        let mut by_entry: FxHashMap<(u32, Rc<[u32]>), usize> = FxHashMap::default();
        for (number, jump) in jumps.iter().enumerate() {
            // What comes back goes on from one jump: with two, one of them would not be looked at.
            if by_entry.insert((jump.point, jump.entry.clone()), number).is_some() {
                return Err(Reason::Open("ways into a loop meet too late".into()));
            }
        }
        let reading = |visit: Visit| self.reading(visit, &locations, &by_entry);
        let jumps: Vec<Reading> = jumps.into_iter().map(reading).collect();
        self.returns = returns.into_iter().map(reading).collect();
        self.jumps = jumps;
        Ok(())
    }

    fn observed(&self, point: u32, function: Option<FunctionId>) -> Vec<Watched> {
        let watch = &self.unwinder.watch;
        match (watch.observables.get(point as usize), function) {
            (Some(observed), _) => observed.clone(),
            (None, Some(function)) => watch.of_functions[function.0 as usize].clone(),
            (None, None) => Vec::new(),
        }
    }

    fn reading(
        &self,
        visit: Visit,
        locations: &FxHashMap<u32, usize>,
        by_entry: &FxHashMap<(u32, Rc<[u32]>), usize>,
    ) -> Reading {
        let location = locations[&visit.point];
        let placeholders = self.locations[location].placeholders.iter();
        let pairs = placeholders.zip(&visit.terms).filter_map(|(&from, &to)| Some((from?, to?)));
        let instances = pairs.collect();
        let comes_back = visit.comes_back.then_some(LoopId(visit.point));
        let Visit { point, entry, path, assumed, terms, jumps_before, .. } = visit;
        let jump = by_entry.get(&(point, entry)).copied();
        Reading { location, jump, comes_back, path, assumed, jumps_before, terms, instances }
    }

    /// A predicate of one location as one of another, if what it is about can be observed there.
    pub fn translate(&mut self, predicate: TermId, from: usize, to: usize) -> Option<TermId> {
        let pool = &mut self.unwinder.encoder.pool;
        let (from, to) = (&self.locations[from], &self.locations[to]);
        let mut map = FxHashMap::default();
        for variable in pool.free_variables(&[predicate]) {
            let number = from.placeholders.iter().position(|&known| known == Some(variable))?;
            let observable = from.observed.get(number)?.observable;
            let other = to.observed.iter().position(|watched| watched.observable == observable)?;
            let target = to.placeholders[other]?;
            if pool.sort(target) != pool.sort(variable) {
                return None;
            }
            map.insert(variable, target);
        }
        Some(pool.substitute_cached(predicate, &mut map))
    }

    /// Violations, and what is not encoded: both must not be reached.
    fn add_ends(&mut self) {
        let unwinder = &mut self.unwinder;
        let recursive = unwinder.suspended.iter().filter(|path| matches!(path.by, Bounded::Recursion(_)));
        let end = |is_violation| move |guard| End { guard, is_violation };
        let mut ends: Vec<End> = recursive.map(|path| path.guard()).map(end(false)).collect();
        ends.extend(unwinder.targets.iter().map(|target| target.guard).map(end(true)));
        ends.extend(unwinder.obstacles.iter().map(|obstacle| obstacle.guard).map(end(false)));
        let mut seen = FxHashSet::default();
        ends.retain(|end| end.guard != TermPool::FALSE && seen.insert(end.guard));
        self.ends = ends;
    }

    /// What always holds: paths jump wherever they can, and what is behind a jump counts at once.
    pub fn choices(&mut self) -> Vec<TermId> {
        let mut fixed = self.unwinder.watch.choices.clone();
        if let Some(induction) = &self.unwinder.induction {
            fixed.extend(induction.active.first());
        }
        fixed
    }

    /// Where blocks through the same jumps, and no others, are told apart: what is fixed in them.
    pub fn fixed(&mut self, taken: &[(usize, usize)]) -> FxHashMap<TermId, TermId> {
        let truth = |is_true| if is_true { TermPool::TRUE } else { TermPool::FALSE };
        let is_taken = |jump: usize| match taken {
            // The start of the program is a jump that nothing leads to.
            [] if self.is_exclusive => jump == 0,
            _ => taken.iter().any(|&(other, _)| other == jump),
        };
        let jumps = self.jumps.iter().enumerate();
        let mut fixed: FxHashMap<TermId, TermId> =
            jumps.map(|(number, jump)| (jump.assumed, truth(is_taken(number)))).collect();
        fixed.extend(self.choices().into_iter().map(|choice| (choice, TermPool::TRUE)));
        fixed
    }

    /// The jumps that each return and each end can be reached from.
    pub fn starts(&self) -> Starts {
        let pool = &self.unwinder.encoder.pool;
        let numbers: FxHashMap<TermId, usize> =
            self.jumps.iter().enumerate().map(|(number, jump)| (jump.assumed, number)).collect();
        let jumps_in = |roots: &[TermId]| {
            let parts = pool.reachable(roots, |_| false);
            parts.into_iter().filter_map(|part| numbers.get(&part).copied()).collect()
        };
        let of_return = |visit: &Reading| {
            let roots: Vec<TermId> = visit.terms.iter().flatten().copied().chain([visit.path]).collect();
            jumps_in(&roots)
        };
        Starts {
            of_returns: self.returns.iter().map(of_return).collect(),
            of_ends: self.ends.iter().map(|end| jumps_in(&[end.guard])).collect(),
        }
    }

    pub fn at_jump(&mut self, jump: usize, predicate: TermId) -> TermId {
        self.unwinder.encoder.pool.substitute_cached(predicate, &mut self.jumps[jump].instances)
    }

    pub fn at_return(&mut self, number: usize, predicate: TermId) -> TermId {
        self.unwinder.encoder.pool.substitute_cached(predicate, &mut self.returns[number].instances)
    }
}

/// An unwinder that has all blocks before it.
fn start<'p>(task: Task<'p>, options: &Options, shape: Shape, pool: Option<TermPool>) -> Unwinder<'p> {
    let mut unwinder = unwinder(&task, options);
    unwinder.bounds.recursion = shape.recursion;
    shape.set_up(&mut unwinder.encoder);
    unwinder.bounds.free_steps = FREE_STEPS;
    if let Some(pool) = pool {
        unwinder.encoder.pool = pool;
    }
    watch(task, shape.blocks, &mut unwinder);
    if task.condition.is_some() {
        unwinder.leave_out(Automata::new(task.program, task.condition));
        unwinder.track_automata();
    }
    unwinder
}

/// Sets up what the unwinder notes, and where it cuts.
fn watch(task: Task<'_>, blocks: Blocks, unwinder: &mut Unwinder<'_>) {
    let (program, analyses) = (task.program, task.analyses);
    let (loops, points_to) = (&analyses.loops, &analyses.points_to);
    let calls = CallGraph::new(program, points_to);
    unwinder.changes = changes_of_loops(program, loops, points_to, &calls);
    unwinder.induction = Some(Induction::default());
    unwinder.bounds.loops.clear();
    let candidates = Candidates::new(Surroundings { program, loops, points_to, changes: &unwinder.changes });
    let values = |id: LoopId| {
        let mut values = candidates.values_at(id);
        values.extend(candidates.values_of_callers(id, &calls));
        values
    };
    let observables = loops.loops.ids().map(values).collect();
    unwinder.watch.observables = observables;
    unwinder.watch.notes_returns = true;
    let kind = blocks.cuts();
    unwinder.cuts = Cuts { kind, functions: Vec::new() };
    if kind != CutKind::Loops {
        unwinder.watch.of_functions = program.functions.ids().map(|f| candidates.values_in(f)).collect();
    }
    if kind == CutKind::LoopsAndCalls {
        unwinder.cuts.functions = changes_of_functions(program, loops, points_to, &calls);
    }
    if unwinder.cuts.is_full() {
        unwinder.cut_at_start();
    }
}

/// What a point is called, the function that it is in, and the line.
fn describe(task: Task<'_>, point: u32) -> (String, Option<FunctionId>, u32) {
    let (program, loops) = (task.program, &task.analyses.loops.loops);
    if point == START {
        return ("start".into(), None, 0);
    }
    let location = match (point as usize).checked_sub(loops.len()) {
        None => loops[LoopId(point)].head,
        Some(location) => LocationId(location as u32),
    };
    let function = program.locations[location].function;
    let name = match (point as usize).checked_sub(loops.len()) {
        None => loops[LoopId(point)].name.clone(),
        Some(location) => format!("{}#{location}", program.function_name(function)),
    };
    let span = program.leaving(location).first().map(|edge| edge.span);
    let line = span.and_then(|span| program.sources.position(span)).map_or(0, |position| position.line);
    (name, Some(function), line)
}

/// Where the automata of a condition are, among the values that are observed.
const AUTOMATON: &str = "automaton";

/// Unique names that read like the C expressions that are observed.
fn placeholder_names(task: Task<'_>, location: usize, watched: &[Watched]) -> Vec<String> {
    let text = |watched: &Watched| invariants::text_of(task.program, watched.observable);
    let names = watched.iter().map(text).chain([AUTOMATON.into()]);
    names.enumerate().map(|(number, name)| format!("{name}@{location}.{number}")).collect()
}

/// A placeholder, if all visits have the value.
fn placeholder(pool: &mut TermPool, visits: &[&Visit], number: usize, names: &[String]) -> Option<TermId> {
    let term = |visit: &&Visit| visit.terms.get(number).copied().flatten();
    let sort = pool.sort(visits.first().and_then(term)?);
    let all = visits.iter().all(|visit| term(visit).is_some_and(|term| pool.sort(term) == sort));
    all.then(|| pool.variable(&names[number], sort))
}
