//! Applies the rules until none applies, in time near-linear in the size of the function.
//!
//! Rule 2 is applied as soon as two edges have the same ends, so edges are looked up by their ends.
//! For each location the number of edges into it is kept, with the exclusive or of their sources:
//! where the number is one, that is the source. A location becomes ripe for Rule 1 when the number
//! drops to one; a heap gives out the ripe one of the highest rank.

use super::{Block, BlockId, Boundaries, Reduction, Summary, SummaryEdge, kept};
use crate::graph::{BitSet, FlowGraph};
use crate::program::*;
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// Blocks one after the other, the last one first: more often than not a block is put in front.
type Path = Vec<BlockId>;

struct State<'a> {
    summary: Summary,
    /// The alternatives along each edge.
    edges: FxHashMap<(u32, u32), Vec<Path>>,
    /// Targets of edges out; may list what is gone.
    out: Vec<Vec<u32>>,
    /// Number of edges into a node and exclusive or of their sources.
    into: Vec<(u32, u32)>,
    kept: BitSet,
    ripe: BinaryHeap<(u32, u32)>,
    rank: &'a [u32],
}

pub(super) fn reduce(program: &Program, body: &Body, boundaries: &Boundaries, rank: &Reduction) -> Summary {
    let flow = FlowGraph::new(program, body);
    let mut state = State::new(&flow, boundaries, &rank.rank);
    let errors: BitSet = error_nodes(&flow, boundaries);
    let reached = flow.graph.reachable_from([flow.entry]);
    for id in body.edges.clone().map(EdgeId) {
        let edge = &program.edges[id];
        let (from, to) = (flow.node(edge.from), flow.node(edge.to));
        // Rule 0.
        if reached.contains(from as usize) && !errors.contains(from as usize) {
            let block = state.summary.blocks.push(Block::Edge(id));
            state.add(from, to, vec![vec![block]]);
        }
    }
    (0..flow.graph.node_count() as u32).for_each(|node| state.check(node));
    while let Some((_, node)) = state.ripe.pop() {
        state.eliminate(node);
    }
    state.finish(&flow)
}

fn error_nodes(flow: &FlowGraph, boundaries: &Boundaries) -> BitSet {
    let mut errors = BitSet::new(flow.graph.node_count());
    for &error in &boundaries.errors {
        errors.insert(flow.node(error) as usize);
    }
    errors
}

impl<'a> State<'a> {
    fn new(flow: &FlowGraph, boundaries: &Boundaries, rank: &'a [u32]) -> Self {
        let count = flow.graph.node_count();
        State {
            summary: Summary::default(),
            edges: FxHashMap::default(),
            out: vec![Vec::new(); count],
            into: vec![(0, 0); count],
            kept: kept(flow, boundaries),
            ripe: BinaryHeap::new(),
            rank,
        }
    }

    /// Adds an edge, by Rule 2 to the one with the same ends if there is one.
    fn add(&mut self, from: u32, to: u32, alternatives: Vec<Path>) {
        let known = self.edges.entry((from, to)).or_default();
        if known.is_empty() {
            self.out[from as usize].push(to);
            let (count, sources) = &mut self.into[to as usize];
            *count += 1;
            *sources ^= from;
        }
        known.extend(alternatives);
    }

    fn remove(&mut self, from: u32, to: u32) -> Option<Vec<Path>> {
        let alternatives = self.edges.remove(&(from, to))?;
        let (count, sources) = &mut self.into[to as usize];
        *count -= 1;
        *sources ^= from;
        Some(alternatives)
    }

    /// Rule 1 applies to a location with one edge into it, from another location.
    fn is_ripe(&self, node: u32) -> bool {
        let (count, source) = self.into[node as usize];
        count == 1 && source != node && !self.kept.contains(node as usize)
    }

    fn check(&mut self, node: u32) {
        if self.is_ripe(node) {
            self.ripe.push((self.rank[node as usize], node));
        }
    }

    /// Rule 1.
    fn eliminate(&mut self, node: u32) {
        if !self.is_ripe(node) {
            return;
        }
        let source = self.into[node as usize].1;
        let Some(before) = self.remove(source, node) else { return };
        let targets = std::mem::take(&mut self.out[node as usize]);
        let mut behind = Vec::with_capacity(targets.len());
        for to in targets {
            if let Some(after) = self.remove(node, to) {
                behind.push((to, after));
            }
        }
        let mut before = self.single(before);
        if behind.len() > 1 && before.len() > 1 {
            before = vec![self.sequence(before)];
        }
        for (to, after) in behind {
            let mut path = self.single(after);
            path.extend(&before);
            self.add(source, to, vec![path]);
            self.check(to);
        }
    }

    /// One path for all alternatives.
    fn single(&mut self, mut alternatives: Vec<Path>) -> Path {
        if alternatives.len() == 1 {
            return alternatives.pop().unwrap_or_default();
        }
        vec![self.choice(alternatives)]
    }

    fn sequence(&mut self, mut path: Path) -> BlockId {
        if path.len() == 1 {
            return path[0];
        }
        path.reverse();
        let list = self.summary.lists.push(path);
        self.summary.blocks.push(Block::Sequence(list))
    }

    fn choice(&mut self, alternatives: Vec<Path>) -> BlockId {
        let parts: Vec<BlockId> = alternatives.into_iter().map(|path| self.sequence(path)).collect();
        if parts.len() == 1 {
            return parts[0];
        }
        let list = self.summary.lists.push(parts);
        self.summary.blocks.push(Block::Choice(list))
    }

    fn finish(mut self, flow: &FlowGraph) -> Summary {
        let mut edges: Vec<((u32, u32), Vec<Path>)> = std::mem::take(&mut self.edges).into_iter().collect();
        edges.sort_unstable_by_key(|&(ends, _)| ends);
        let mut is_left = self.kept.clone();
        for ((from, to), alternatives) in edges {
            is_left.insert(from as usize);
            is_left.insert(to as usize);
            let block = self.choice(alternatives);
            let (from, to) = (flow.location(from), flow.location(to));
            self.summary.edges.push(SummaryEdge { from, to, block });
        }
        self.summary.locations = is_left.iter().map(|node| flow.location(node as u32)).collect();
        self.summary
    }
}
