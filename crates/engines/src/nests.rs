//! Reactive loops inside of each other, which are counted together.
//!
//! A scheduler that runs processes until none is ready, inside of a loop over time, is one reactive
//! system: how many rounds the inner loop makes each time is of no interest. Counted one by one, each further
//! iteration of the inner loop repeats everything behind it, for paths that only differ in their
//! numbers. Counted together, all paths on which the loops have come back equally often in all meet, and a
//! round adds one iteration of each loop, however many rounds there were before.
//!
//! A loop is taken for reactive if it reads inputs, does not count, and allocates nothing: where iterations are
//! told apart by a counter, or by the objects that they make, paths with different numbers are best kept apart.

use crate::outcome::Task;
use crate::strategy::counts;
use cfa::callgraph::CallGraph;
use cfa::library::Library;
use cfa::loops::LoopId;
use cfa::{Callee, EdgeId, EdgeKind, FunctionId};
use rustc_hash::FxHashSet;

/// The loops of a program that are counted together, but for those that are unwound to their end anyway.
pub fn reactive_nests(task: &Task<'_>, eager: &FxHashSet<LoopId>) -> FxHashSet<LoopId> {
    let calls = CallGraph::new(task.program, &task.analyses.points_to);
    Search::new(task, &calls).nested(eager)
}

/// What a function does, or a function that it calls.
#[derive(Clone, Copy, Default)]
struct Effects {
    reads: bool,
    allocates: bool,
}

struct Search<'a, 'p> {
    task: &'a Task<'p>,
    calls: &'a CallGraph,
    /// By function.
    effects: Vec<Effects>,
}

impl<'a, 'p> Search<'a, 'p> {
    fn new(task: &'a Task<'p>, calls: &'a CallGraph) -> Self {
        let effects = vec![Effects::default(); task.program.functions.len()];
        let mut search = Self { task, calls, effects };
        for (edge, info) in task.program.edges.enumerated() {
            let function = task.program.locations[info.from].function;
            let own = search.own_effects(edge);
            search.effects[function.0 as usize].add(own);
        }
        for group in calls.bottom_up() {
            let group: Vec<FunctionId> = group.collect();
            let mut all = Effects::default();
            for &member in &group {
                let inside = calls.callees(member).chain([member]);
                inside.for_each(|function| all.add(search.effects[function.0 as usize]));
            }
            group.iter().for_each(|member| search.effects[member.0 as usize] = all);
        }
        search
    }

    /// What an edge does itself.
    fn own_effects(&self, edge: EdgeId) -> Effects {
        let program = self.task.program;
        match program.edges[edge].kind {
            EdgeKind::Input { .. } => Effects { reads: true, allocates: false },
            EdgeKind::DeclareVla { .. } => Effects { reads: false, allocates: true },
            EdgeKind::Call(call) => {
                let Callee::Direct(function) = program.calls[call].callee else { return Effects::default() };
                let allocates = program.functions[function].library.is_some_and(is_allocation);
                Effects { reads: false, allocates }
            }
            _ => Effects::default(),
        }
    }

    fn callees(&self, edge: EdgeId) -> impl Iterator<Item = FunctionId> + '_ {
        let points_to = &self.task.analyses.points_to;
        points_to.callees(edge).iter().chain(points_to.callbacks(edge)).copied()
    }

    /// The edges of a loop, those of loops inside included.
    fn edges(&self, id: LoopId) -> impl Iterator<Item = EdgeId> + '_ {
        let body = self.task.analyses.loops.body(id).iter();
        body.flat_map(|&location| self.task.program.leaving_ids(location))
    }

    fn is_reactive(&self, id: LoopId) -> bool {
        let mut all = Effects::default();
        for edge in self.edges(id) {
            all.add(self.own_effects(edge));
            self.callees(edge).for_each(|callee| all.add(self.effects[callee.0 as usize]));
        }
        all.reads && !all.allocates && !counts(self.task.program, &self.task.analyses.loops, id)
    }

    /// Reactive loops that are in another one, or around one.
    fn nested(&self, eager: &FxHashSet<LoopId>) -> FxHashSet<LoopId> {
        let loops = &self.task.analyses.loops;
        let reactive = loops.loops.ids().filter(|id| !eager.contains(id) && self.is_reactive(*id));
        let reactive: Vec<LoopId> = reactive.collect();
        let mut nested = FxHashSet::default();
        if reactive.len() < 2 {
            return nested;
        }
        for &outer in &reactive {
            let called = self.called_in(outer);
            for &inner in reactive.iter().filter(|&&inner| inner != outer) {
                let info = &loops.loops[inner];
                if loops.contains(outer, info.head) || called.contains(&info.function) {
                    nested.extend([outer, inner]);
                }
            }
        }
        nested
    }

    /// The functions that run while a loop does.
    fn called_in(&self, id: LoopId) -> FxHashSet<FunctionId> {
        let mut open: Vec<FunctionId> = self.edges(id).flat_map(|edge| self.callees(edge)).collect();
        let mut called: FxHashSet<FunctionId> = FxHashSet::default();
        while let Some(function) = open.pop() {
            if called.insert(function) {
                open.extend(self.calls.callees(function));
            }
        }
        called
    }
}

impl Effects {
    fn add(&mut self, other: Effects) {
        self.reads |= other.reads;
        self.allocates |= other.allocates;
    }
}

fn is_allocation(function: Library) -> bool {
    use Library::*;
    matches!(function, Malloc | Calloc | Realloc | Alloca | BuiltinAlloca | Strdup | Strndup)
}
