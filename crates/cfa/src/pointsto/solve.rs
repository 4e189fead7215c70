//! The least solution of the constraints: wave propagation with cycles collapsed.
//!
//! In each wave, the copies that can be reached from nodes with news are condensed: nodes on a
//! cycle have equal sets in the end and become one. Then the news is passed on in topological order,
//! so that every node passes on all of its news at once, and only the news (Pereira and Berlin,
//! "Wave propagation and deep propagation for pointer analysis", CGO 2009). What is new at a pointer
//! then makes new copies, and the next wave starts from there.

use super::constraints::{Argument, Constraint, Destination, System};
use super::memory::{Fit, ObjectId, ObjectKind, Offset, Step, TargetId};
use super::sets::SparseSet;
use crate::graph::{Condensation, Graph, NO_NODE};
use crate::program::FunctionId;
use sema::types::{Type, TypeId};

impl System<'_> {
    pub fn solve(&mut self) {
        while !self.worklist.is_empty() {
            let order = self.collapse_cycles();
            let news = self.propagate(&order);
            for (node, fresh) in news {
                let mut next = self.first_constraint(node);
                while next != NO_NODE {
                    let (constraint, following) = self.next_constraint(next);
                    self.apply(constraint, &fresh);
                    next = following;
                }
            }
        }
    }

    /// Merges the cycles among the nodes that the pending news will reach; returns those nodes in
    /// topological order.
    fn collapse_cycles(&mut self) -> Vec<u32> {
        let (nodes, graph) = self.affected();
        let condensation = Condensation::new(&graph);
        let mut order = Vec::with_capacity(condensation.component_count());
        for members in condensation.components().rev() {
            let kept = members.iter().map(|&member| nodes[member as usize]).min().unwrap_or(NO_NODE);
            for other in members.iter().map(|&member| nodes[member as usize]).filter(|&other| other != kept) {
                self.merge(kept, other);
            }
            order.push(kept);
        }
        order
    }

    /// The nodes that the pending news will reach, and the copies between them.
    fn affected(&mut self) -> (Vec<u32>, Graph) {
        let mut index = std::mem::take(&mut self.scratch);
        index.resize(self.sets.len(), NO_NODE);
        let mut nodes: Vec<u32> = Vec::new();
        let mut edges = Vec::new();
        for node in std::mem::take(&mut self.worklist) {
            let node = self.find(node);
            if index[node as usize] == NO_NODE {
                index[node as usize] = nodes.len() as u32;
                nodes.push(node);
            }
        }
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            let mut copies = std::mem::take(&mut self.copies[node as usize]);
            copies.iter_mut().for_each(|to| *to = self.find(*to));
            copies.sort_unstable();
            copies.dedup();
            copies.retain(|&to| to != node);
            for &to in &copies {
                if index[to as usize] == NO_NODE {
                    index[to as usize] = nodes.len() as u32;
                    nodes.push(to);
                }
                edges.push((next as u32, index[to as usize]));
            }
            self.copies[node as usize] = copies;
            next += 1;
        }
        nodes.iter().for_each(|&node| index[node as usize] = NO_NODE);
        self.scratch = index;
        let graph = Graph::new(nodes.len(), edges.iter().copied());
        (nodes, graph)
    }

    /// Passes all news on along copies; returns what was new at nodes with constraints.
    fn propagate(&mut self, order: &[u32]) -> Vec<(u32, SparseSet)> {
        let mut news = Vec::new();
        for &node in order {
            let fresh = std::mem::take(&mut self.pending[node as usize]);
            if fresh.is_empty() {
                continue;
            }
            let copies = std::mem::take(&mut self.copies[node as usize]);
            for &to in &copies {
                let to = self.find(to);
                if to != node {
                    self.add_all(to, &fresh);
                }
            }
            self.copies[node as usize] = copies;
            if self.first_constraint(node) != NO_NODE {
                news.push((node, fresh));
            }
        }
        self.worklist.clear();
        news
    }

    /// What a constraint makes of targets that are new at its node.
    pub fn apply(&mut self, constraint: Constraint, fresh: &SparseSet) {
        match constraint {
            Constraint::Move { step, to } => self.apply_move(step, to, fresh),
            _ => {
                for target in fresh.iter() {
                    let (object, offset) = self.memory.target(TargetId(target));
                    self.apply_to(constraint, object, offset);
                }
            }
        }
    }

    fn apply_move(&mut self, step: Step, to: u32, fresh: &SparseSet) {
        for target in fresh.iter() {
            let (object, offset) = self.memory.target(TargetId(target));
            let moved = self.memory.step(&self.program.types, object, offset, step);
            self.add_target(to, object, moved);
        }
    }

    fn apply_to(&mut self, constraint: Constraint, object: ObjectId, offset: Offset) {
        match constraint {
            Constraint::Move { .. } => {}
            Constraint::Load { size, to } => self.load(object, offset, size, to),
            Constraint::Store { size, from } => self.store(object, offset, size, from),
            Constraint::LoadRecord { ty, to } => self.load_record(object, offset, ty, to),
            Constraint::StoreRecord { ty, from } => self.store_record(object, offset, ty, from),
            Constraint::Call { site } => self.call_target(site, object),
        }
    }

    pub fn load(&mut self, object: ObjectId, offset: Offset, size: Option<u64>, to: u32) {
        let touched = self.memory.touched(&self.program.types, object, offset, size);
        if touched.len() > 1 && touched == self.memory.cells(object) {
            let all = self.collected(object);
            return self.add_copy(all, to);
        }
        touched.for_each(|cell| self.add_copy(cell, to));
    }

    pub fn store(&mut self, object: ObjectId, offset: Offset, size: Option<u64>, from: u32) {
        let touched = self.memory.touched(&self.program.types, object, offset, size);
        if touched.len() > 1 && touched == self.memory.cells(object) {
            let all = self.spread(object);
            return self.add_copy(from, all);
        }
        touched.for_each(|cell| self.add_copy(from, cell));
    }

    /// For each cell of a record that is at a target: where it is, and how many bytes of it count.
    fn record_cells(&mut self, object: ObjectId, offset: Offset, ty: TypeId) -> Vec<(Offset, Option<u64>)> {
        let types = &self.program.types;
        let fit = self.memory.fit(types, object, offset, ty);
        let layout = self.memory.layout(types, ty);
        let size = types.size_of(ty);
        let ends = layout.starts.iter().skip(1).copied().chain([size.unwrap_or(u64::MAX)]);
        let pairs = layout.starts.iter().zip(ends);
        pairs
            .map(|(&start, end)| match (offset, fit) {
                (Offset::At(at), Fit::Part) => (Offset::At(at.saturating_add_unsigned(start)), Some(1)),
                (Offset::At(at), Fit::Flat) => {
                    (Offset::At(at.saturating_add_unsigned(start)), Some(end.saturating_sub(start).max(1)))
                }
                _ => (offset, size),
            })
            .collect()
    }

    pub fn load_record(&mut self, object: ObjectId, offset: Offset, ty: TypeId, to: u32) {
        for (index, (part, size)) in self.record_cells(object, offset, ty).into_iter().enumerate() {
            self.load(object, part, size, to + index as u32);
        }
    }

    pub fn store_record(&mut self, object: ObjectId, offset: Offset, ty: TypeId, from: u32) {
        for (index, (part, size)) in self.record_cells(object, offset, ty).into_iter().enumerate() {
            self.store(object, part, size, from + index as u32);
        }
    }

    fn call_target(&mut self, site: u32, object: ObjectId) {
        if !self.called.insert((site, object)) {
            return;
        }
        match self.memory.objects[object].kind {
            ObjectKind::Function(function) => self.link(site, function),
            ObjectKind::Outside => self.unknown_result(site),
            _ => {}
        }
    }

    /// A call of a function: arguments to parameters, the returned value to the result.
    pub fn link(&mut self, site: u32, function: FunctionId) {
        let program = self.program;
        let Some(body) = &program.functions[function].body else {
            return self.link_undefined(site, function);
        };
        let arguments = self.sites[site as usize].arguments.clone();
        for (index, &argument) in arguments.iter().enumerate() {
            match body.parameters.get(index) {
                Some(&parameter) => {
                    let object = self.object(ObjectKind::Variable(parameter));
                    self.pass(argument, object, Offset::At(0));
                }
                None => {
                    let rest = self.object(ObjectKind::Variadic(function));
                    self.pass(argument, rest, Offset::Any);
                }
            }
        }
        let Type::Function { result, .. } = *program.types.get(program.functions[function].ty) else {
            return;
        };
        self.give(site, self.returns[function.0 as usize], result);
    }

    /// Stores an argument into an object.
    fn pass(&mut self, argument: Argument, object: ObjectId, offset: Offset) {
        match argument {
            Argument::Plain => {}
            Argument::Scalar(node) => self.store(object, offset, None, node),
            Argument::Record(first, ty) => self.store_record(object, offset, ty, first),
        }
    }

    /// Stores what a function returned, in the nodes from `from` on, into the call's result.
    pub fn give(&mut self, site: u32, from: u32, ty: TypeId) {
        let program = self.program;
        let is_record = program.types.record(ty).is_some();
        let size = program.types.size_of(ty);
        match self.sites[site as usize].result {
            Destination::Nowhere => {}
            Destination::Fixed(object, offset) if is_record => self.store_record(object, offset, ty, from),
            Destination::Fixed(object, offset) => self.store(object, offset, size, from),
            Destination::Through(node) if is_record => {
                self.add_constraint(node, Constraint::StoreRecord { ty, from });
            }
            Destination::Through(node) => self.add_constraint(node, Constraint::Store { size, from }),
        }
    }

    /// The call's result is from outside.
    pub fn unknown_result(&mut self, site: u32) {
        let ty = self.sites[site as usize].result_type;
        if !holds_pointers(&self.program.types, ty) {
            return;
        }
        let outside = self.outside();
        let first = self.new_record(ty);
        for node in first..first + self.width(ty) {
            self.add_copy(outside, node);
        }
        self.give(site, first, ty);
    }
}

/// Values of the type that come from outside may be pointers (integers become pointers by a cast,
/// which says so itself).
pub fn holds_pointers(types: &sema::types::Types, ty: TypeId) -> bool {
    types.is_pointer(ty) || types.record(ty).is_some() || matches!(types.get(ty), Type::Array { .. })
}
