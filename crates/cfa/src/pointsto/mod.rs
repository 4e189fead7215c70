//! What pointers can point to: a field-sensitive, inclusion-based analysis of the whole program
//! (Andersen 1994), insensitive to the order of statements and to calling contexts.
//!
//! - [`memory`]: abstract objects, offsets in them, and how pointers move; [`layout`]: their cells.
//! - [`constraints`]: what is to be solved; [`generate`] makes it of edges, [`effects`] of functions
//!   without a body; [`solve`] solves it, finding the targets of calls through pointers on the way.
//! - [`query`]: places and expressions of the program looked up in the solution.
//!
//! Objects are variables, string literals, functions, labels, the heap by allocating call, and one
//! object for all memory of the environment. The environment is assumed to be as the design says: a
//! pointer that comes from outside (an undefined function, an external or uninitialised variable, an
//! input, an integer) points to nothing of the program's own, and undefined functions write nothing
//! of it. What the C library copies as a string, and what passes through a float, is taken to be no
//! pointer. Arithmetic on a pointer into an array is taken to stay in that array.

mod constraints;
mod effects;
mod generate;
mod layout;
mod memory;
mod query;
mod sets;
mod solve;
#[cfg(test)]
mod tests;

pub use memory::{CellId, Object, ObjectId, ObjectKind, Offset};
pub use query::{Targets, Visit};

use crate::program::{Callee, EdgeId, EdgeKind, FunctionId, Program};
use constraints::System;
use memory::Memory;
use rustc_hash::FxHashMap;
use sets::SparseSet;

/// The solution.
pub struct PointsTo {
    memory: Memory,
    /// For each node (cells among them) where its set is in `sets`.
    representatives: Vec<u32>,
    sets: Vec<SparseSet>,
    calls: FxHashMap<EdgeId, Callees>,
}

#[derive(Clone, Default, Debug)]
struct Callees {
    functions: Vec<FunctionId>,
    callbacks: Vec<FunctionId>,
    unknown: bool,
}

impl PointsTo {
    pub fn compute(program: &Program) -> Self {
        let mut system = System::new(program);
        system.generate();
        system.solve();
        let calls = resolved_calls(&system);
        let representatives = system.representatives();
        PointsTo { memory: system.memory, representatives, sets: system.sets, calls }
    }

    /// The functions that a call edge may call, in the order of their ids.
    pub fn callees(&self, edge: EdgeId) -> &[FunctionId] {
        self.calls.get(&edge).map_or(&[], |callees| &callees.functions)
    }

    /// The functions that what is called there may call in turn because it is given a pointer to
    /// them, and is part of the C library: `qsort`.
    pub fn callbacks(&self, edge: EdgeId) -> &[FunctionId] {
        self.calls.get(&edge).map_or(&[], |callees| &callees.callbacks)
    }

    /// The pointer that is called may be one that comes from outside.
    pub fn may_call_unknown(&self, edge: EdgeId) -> bool {
        self.calls.get(&edge).is_some_and(|callees| callees.unknown)
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.memory.objects[id]
    }

    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.memory.objects.enumerated()
    }

    /// The object of a kind, if the program has it.
    pub fn find_object(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.memory.object(kind)
    }

    /// The offset by which targets name a byte of an object.
    pub fn folded(&self, program: &Program, object: ObjectId, byte: i64) -> Offset {
        self.memory.folded(&program.types, object, byte)
    }

    /// The cells of an object. Cells are numbered through the program, but not densely.
    pub fn cells(&self, object: ObjectId) -> impl ExactSizeIterator<Item = CellId> + use<> {
        self.memory.cells(object).map(CellId)
    }

    /// A bound for the numbers of cells.
    pub fn cell_bound(&self) -> usize {
        self.representatives.len()
    }

    /// What the pointers in a cell point to.
    pub fn contents(&self, cell: CellId) -> impl Iterator<Item = (ObjectId, Offset)> + '_ {
        self.memory.resolve(&self.sets[self.representatives[cell.0 as usize] as usize])
    }

    /// How large the problem was, for statistics.
    pub fn statistics(&self) -> Statistics {
        let representatives = self.representatives.iter().enumerate();
        let merged = representatives.filter(|&(node, &kept)| node as u32 != kept).count();
        let nodes = self.representatives.len();
        let facts = self.sets.iter().map(SparseSet::len).sum();
        Statistics {
            objects: self.memory.objects.len(),
            targets: self.memory.target_count(),
            nodes,
            merged,
            facts,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statistics {
    pub objects: usize,
    pub targets: usize,
    pub nodes: usize,
    /// Nodes that were found to be equal to another.
    pub merged: usize,
    /// The sizes of all sets together.
    pub facts: usize,
}

fn resolved_calls(system: &System) -> FxHashMap<EdgeId, Callees> {
    let program = system.program;
    let mut calls: FxHashMap<EdgeId, Callees> = FxHashMap::default();
    for (id, edge) in program.edges.enumerated() {
        if let EdgeKind::Call(call) = edge.kind {
            let callees = calls.entry(id).or_default();
            match program.calls[call].callee {
                Callee::Direct(function) => callees.functions.push(function),
                Callee::Indirect(_) => {}
            }
        }
    }
    for &(site, object) in &system.called {
        let site = &system.sites[site as usize];
        let callees = calls.entry(site.edge).or_default();
        match system.memory.objects[object].kind {
            ObjectKind::Function(function) if site.is_callback => callees.callbacks.push(function),
            ObjectKind::Function(function) => callees.functions.push(function),
            _ => callees.unknown = true,
        }
    }
    for callees in calls.values_mut() {
        callees.functions.sort_unstable();
        callees.functions.dedup();
        callees.callbacks.sort_unstable();
        callees.callbacks.dedup();
    }
    calls
}
