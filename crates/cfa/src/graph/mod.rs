//! Directed graphs over dense node numbers, and the classic algorithms on them.
//!
//! A function body, a call graph and a set of copy constraints are all graphs; what is asked of
//! them (orders, components, dominators, loops) does not depend on which. So the algorithms work on
//! a plain [`Graph`] in compressed rows, and [`FlowGraph`] says how a function body becomes one.
//! None of them recurses: generated code has functions with a million locations.

pub mod bits;
pub mod condensation;
pub mod dominators;
pub mod order;

use crate::program::{Body, LocationId, Program};

pub use bits::BitSet;
pub use condensation::Condensation;
pub use dominators::Dominators;
pub use order::DepthFirst;

/// Stands for "no node" in dense vectors of nodes.
pub const NO_NODE: u32 = u32::MAX;

/// A directed graph: the successors of each node, in the order in which the edges were given.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// A graph with that many nodes; parallel edges and self loops are kept.
    pub fn new(node_count: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0u32; node_count + 1];
        for (from, _) in edges.clone() {
            starts[from as usize + 1] += 1;
        }
        for node in 0..node_count {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; starts[node_count] as usize];
        for (from, to) in edges {
            targets[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Self { starts, targets }
    }

    pub fn node_count(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn nodes(&self) -> std::ops::Range<u32> {
        0..self.node_count() as u32
    }

    #[inline]
    pub fn successors(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
        self.nodes().flat_map(|from| self.successors(from).iter().map(move |&to| (from, to)))
    }

    /// The same nodes, every edge turned round.
    pub fn reversed(&self) -> Graph {
        Graph::new(self.node_count(), self.edges().map(|(from, to)| (to, from)))
    }

    /// The nodes that can be reached from the given ones, those included.
    pub fn reachable_from(&self, roots: impl IntoIterator<Item = u32>) -> BitSet {
        let mut seen = BitSet::new(self.node_count());
        let mut stack: Vec<u32> = roots.into_iter().filter(|&root| seen.insert(root as usize)).collect();
        while let Some(node) = stack.pop() {
            for &next in self.successors(node) {
                if seen.insert(next as usize) {
                    stack.push(next);
                }
            }
        }
        seen
    }
}

/// A function body as a graph: node `n` is the `n`-th location of the body.
pub struct FlowGraph {
    pub graph: Graph,
    first: u32,
    pub entry: u32,
    pub exit: u32,
}

impl FlowGraph {
    pub fn new(program: &Program, body: &Body) -> Self {
        let first = body.locations.start;
        let count = body.locations.len();
        let edges = body.edges.clone().map(|edge| {
            let edge = &program.edges.as_slice()[edge as usize];
            (edge.from.0 - first, edge.to.0 - first)
        });
        let graph = Graph::new(count, edges);
        Self { graph, first, entry: body.entry.0 - first, exit: body.exit.0 - first }
    }

    #[inline]
    pub fn node(&self, location: LocationId) -> u32 {
        location.0 - self.first
    }

    #[inline]
    pub fn location(&self, node: u32) -> LocationId {
        LocationId(node + self.first)
    }
}
