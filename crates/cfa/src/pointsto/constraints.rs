//! The constraints between sets of targets.
//!
//! Each node has a set; a cell is the node of its contents, other nodes hold values on their way.
//! Copies are edges between nodes. Everything that depends on what a pointer points to is a
//! [`Constraint`] at the pointer's node: when a target comes into the node's set, the constraint
//! turns it into copies or into further targets.

use super::memory::{Memory, ObjectId, ObjectKind, Offset, Step, TargetId};
use super::sets::SparseSet;
use crate::graph::NO_NODE;
use crate::program::{EdgeId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use sema::types::TypeId;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constraint {
    /// The targets, moved, go to `to`.
    Move {
        step: Step,
        to: u32,
    },
    /// What is at the targets goes to `to`.
    Load {
        size: Option<u64>,
        to: u32,
    },
    /// What `from` holds goes to the targets.
    Store {
        size: Option<u64>,
        from: u32,
    },
    /// The record at the targets goes to the nodes from `to` on, one for each cell of the type.
    LoadRecord {
        ty: TypeId,
        to: u32,
    },
    StoreRecord {
        ty: TypeId,
        from: u32,
    },
    /// Calls the targets that are functions.
    Call {
        site: u32,
    },
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// Never a pointer.
    Plain,
    Scalar(u32),
    /// Nodes from here on, one for each cell of the type.
    Record(u32, TypeId),
}

/// Where a value goes.
#[derive(Clone, Copy, Debug)]
pub enum Destination {
    Nowhere,
    Fixed(ObjectId, Offset),
    /// To what the node points to.
    Through(u32),
}

#[derive(Clone, Debug)]
pub struct Site {
    pub edge: EdgeId,
    /// Not the call at the edge itself, but one that its callee makes: `qsort`.
    pub is_callback: bool,
    pub arguments: Vec<Argument>,
    pub result: Destination,
    pub result_type: TypeId,
}

/// The lists of constraints at nodes are linked, so that those of merged nodes are joined at once.
#[derive(Clone, Copy)]
struct Linked {
    constraint: Constraint,
    next: u32,
}

/// The state of the solver: nodes, their sets and what connects them.
pub struct System<'p> {
    pub program: &'p Program,
    pub memory: Memory,
    pub sets: Vec<SparseSet>,
    /// What has come into a set and has not been passed on yet.
    pub pending: Vec<SparseSet>,
    pub copies: Vec<Vec<u32>>,
    pub sites: Vec<Site>,
    /// First node of the returned value of each defined function.
    pub returns: Vec<u32>,
    /// Nodes that have something pending, in the order in which it came.
    pub worklist: Vec<u32>,
    parents: Vec<u32>,
    first: Vec<u32>,
    last: Vec<u32>,
    constraints: Vec<Linked>,
    moved: FxHashMap<(u32, Step), u32>,
    constants: FxHashMap<TargetId, u32>,
    edges_seen: FxHashSet<(u32, u32)>,
    /// For each object: the node that all cells flow to, and the one that flows to all cells.
    collected: FxHashMap<ObjectId, u32>,
    spread: FxHashMap<ObjectId, u32>,
    pub called: FxHashSet<(u32, ObjectId)>,
    /// For [`System::solve`]: a vector as long as there are nodes, all [`NO_NODE`].
    pub scratch: Vec<u32>,
    pub heap_types: FxHashMap<EdgeId, TypeId>,
}

impl<'p> System<'p> {
    pub fn new(program: &'p Program) -> Self {
        System {
            program,
            memory: Memory::default(),
            sets: Vec::new(),
            pending: Vec::new(),
            copies: Vec::new(),
            sites: Vec::new(),
            returns: vec![NO_NODE; program.functions.len()],
            worklist: Vec::new(),
            parents: Vec::new(),
            first: Vec::new(),
            last: Vec::new(),
            constraints: Vec::new(),
            moved: FxHashMap::default(),
            constants: FxHashMap::default(),
            edges_seen: FxHashSet::default(),
            collected: FxHashMap::default(),
            spread: FxHashMap::default(),
            called: FxHashSet::default(),
            scratch: Vec::new(),
            heap_types: FxHashMap::default(),
        }
    }

    pub fn new_node(&mut self) -> u32 {
        let node = self.sets.len() as u32;
        self.sets.push(SparseSet::default());
        self.pending.push(SparseSet::default());
        self.copies.push(Vec::new());
        self.parents.push(node);
        self.first.push(NO_NODE);
        self.last.push(NO_NODE);
        node
    }

    /// One node for each cell of the type.
    pub fn new_record(&mut self, ty: TypeId) -> u32 {
        let count = self.memory.layout(&self.program.types, ty).starts.len();
        let first = self.new_node();
        (1..count).for_each(|_| {
            self.new_node();
        });
        first
    }

    /// How many nodes a value of the type takes.
    pub fn width(&mut self, ty: TypeId) -> u32 {
        self.memory.layout(&self.program.types, ty).starts.len() as u32
    }

    pub fn add_object(&mut self, kind: ObjectKind, ty: Option<TypeId>, is_array: bool) -> ObjectId {
        let first = self.sets.len() as u32;
        let id = self.memory.add_object(&self.program.types, kind, ty, is_array, first);
        for _ in self.memory.cells(id) {
            self.new_node();
        }
        id
    }

    /// The object, made without a type if it is new.
    pub fn object(&mut self, kind: ObjectKind) -> ObjectId {
        match self.memory.object(kind) {
            Some(object) => object,
            None => self.add_object(kind, None, false),
        }
    }

    /// The node that stands for a node since they were merged.
    pub fn find(&mut self, node: u32) -> u32 {
        let mut current = node;
        while self.parents[current as usize] != current {
            let above = self.parents[self.parents[current as usize] as usize];
            self.parents[current as usize] = above;
            current = above;
        }
        current
    }

    /// Makes `other` a part of `kept`; both must stand for themselves.
    pub fn merge(&mut self, kept: u32, other: u32) {
        let (k, o) = (kept as usize, other as usize);
        self.parents[o] = kept;
        let set = std::mem::take(&mut self.sets[o]);
        // What only one of them has passed on must be passed on again.
        let mut fresh = set.difference(&self.sets[k]);
        fresh.union(&self.sets[k].difference(&set));
        fresh.union(&std::mem::take(&mut self.pending[o]));
        self.sets[k].union(&set);
        if !fresh.is_empty() {
            if self.pending[k].is_empty() {
                self.worklist.push(kept);
            }
            self.pending[k].union(&fresh);
        }
        let copies = std::mem::take(&mut self.copies[o]);
        self.copies[k].extend(copies);
        if self.first[o] != NO_NODE {
            match self.last[k] {
                NO_NODE => self.first[k] = self.first[o],
                last => self.constraints[last as usize].next = self.first[o],
            }
            self.last[k] = self.last[o];
        }
    }

    pub fn add_target(&mut self, node: u32, object: ObjectId, offset: Offset) {
        let target = self.memory.intern(object, offset);
        let node = self.find(node);
        if self.sets[node as usize].insert(target.0) {
            self.mark(node, &SparseSet::from_iter([target.0]));
        }
    }

    fn mark(&mut self, node: u32, fresh: &SparseSet) {
        if self.pending[node as usize].is_empty() {
            self.worklist.push(node);
        }
        self.pending[node as usize].union(fresh);
    }

    /// Adds what is new in `fresh` to the node's set.
    pub fn add_all(&mut self, node: u32, fresh: &SparseSet) {
        let new = fresh.difference(&self.sets[node as usize]);
        if !new.is_empty() {
            self.sets[node as usize].union(&new);
            self.mark(node, &new);
        }
    }

    pub fn add_copy(&mut self, from: u32, to: u32) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.edges_seen.insert((from, to)) {
            return;
        }
        self.copies[from as usize].push(to);
        if !self.sets[from as usize].is_empty() {
            let set = std::mem::take(&mut self.sets[from as usize]);
            self.add_all(to, &set);
            self.sets[from as usize] = set;
        }
    }

    pub fn add_constraint(&mut self, node: u32, constraint: Constraint) {
        let node = self.find(node);
        let id = self.constraints.len() as u32;
        self.constraints.push(Linked { constraint, next: NO_NODE });
        match self.last[node as usize] {
            NO_NODE => self.first[node as usize] = id,
            last => self.constraints[last as usize].next = id,
        }
        self.last[node as usize] = id;
        if !self.sets[node as usize].is_empty() {
            let set = self.sets[node as usize].clone();
            self.apply(constraint, &set);
        }
    }

    /// The constraints at a node, from a start to walk on with [`System::next_constraint`].
    pub fn first_constraint(&self, node: u32) -> u32 {
        self.first[node as usize]
    }

    pub fn next_constraint(&self, id: u32) -> (Constraint, u32) {
        let Linked { constraint, next } = self.constraints[id as usize];
        (constraint, next)
    }

    /// A node that holds what `node` holds, moved.
    pub fn moved(&mut self, node: u32, step: Step) -> u32 {
        if matches!(step, Step::Member(_, 0) | Step::KnownElements(0, _)) {
            return node;
        }
        if let Some(&moved) = self.moved.get(&(node, step)) {
            return moved;
        }
        let to = self.new_node();
        self.moved.insert((node, step), to);
        self.add_constraint(node, Constraint::Move { step, to });
        to
    }

    /// A node that holds just this target.
    pub fn constant(&mut self, object: ObjectId, offset: Offset) -> u32 {
        let target = self.memory.intern(object, offset);
        if let Some(&node) = self.constants.get(&target) {
            return node;
        }
        let node = self.new_node();
        self.constants.insert(target, node);
        self.add_target(node, object, offset);
        node
    }

    pub fn outside(&mut self) -> u32 {
        let outside = self.object(ObjectKind::Outside);
        self.constant(outside, Offset::Any)
    }

    /// The node that everything in the object flows to.
    pub fn collected(&mut self, object: ObjectId) -> u32 {
        let cells = self.memory.cells(object);
        if cells.len() == 1 {
            return cells.start;
        }
        if let Some(&node) = self.collected.get(&object) {
            return node;
        }
        let node = self.new_node();
        self.collected.insert(object, node);
        cells.for_each(|cell| self.add_copy(cell, node));
        node
    }

    /// The node that flows to everything in the object.
    pub fn spread(&mut self, object: ObjectId) -> u32 {
        let cells = self.memory.cells(object);
        if cells.len() == 1 {
            return cells.start;
        }
        if let Some(&node) = self.spread.get(&object) {
            return node;
        }
        let node = self.new_node();
        self.spread.insert(object, node);
        cells.for_each(|cell| self.add_copy(node, cell));
        node
    }

    /// The node that stands for each node in the end.
    pub fn representatives(&mut self) -> Vec<u32> {
        (0..self.sets.len() as u32).map(|node| self.find(node)).collect()
    }
}
