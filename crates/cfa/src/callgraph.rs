//! Who calls whom, calls through pointers included.

use crate::graph::{BitSet, Condensation, Graph};
use crate::pointsto::PointsTo;
use crate::program::*;

pub struct CallGraph {
    graph: Graph,
    condensation: Condensation,
    /// For each function where its list in `sites` starts; one more entry than there are functions.
    site_starts: Vec<u32>,
    sites: Vec<EdgeId>,
    reachable: BitSet,
}

impl CallGraph {
    pub fn new(program: &Program, points_to: &PointsTo) -> Self {
        let count = program.functions.len();
        let mut calls: Vec<(u32, EdgeId)> = Vec::new();
        for (id, edge) in program.edges.enumerated() {
            if let EdgeKind::Call(_) = edge.kind {
                let callees = points_to.callees(id).iter().chain(points_to.callbacks(id));
                calls.extend(callees.map(|callee| (callee.0, id)));
            }
        }
        calls.sort_unstable();
        calls.dedup();
        let caller = |edge: EdgeId| program.locations[program.edges[edge].from].function.0;
        let mut pairs: Vec<(u32, u32)> = calls.iter().map(|&(callee, edge)| (caller(edge), callee)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let graph = Graph::new(count, pairs.iter().copied());
        let site_starts =
            (0..=count as u32).map(|f| calls.partition_point(|&(callee, _)| callee < f) as u32).collect();
        Self {
            condensation: Condensation::new(&graph),
            reachable: graph.reachable_from([program.entry.0]),
            graph,
            site_starts,
            sites: calls.into_iter().map(|(_, edge)| edge).collect(),
        }
    }

    /// The functions that a function calls itself.
    pub fn callees(&self, function: FunctionId) -> impl Iterator<Item = FunctionId> + '_ {
        self.graph.successors(function.0).iter().copied().map(FunctionId)
    }

    /// The edges from which a function may be called, anywhere in the program.
    pub fn sites(&self, function: FunctionId) -> &[EdgeId] {
        let function = function.0 as usize;
        &self.sites[self.site_starts[function] as usize..self.site_starts[function + 1] as usize]
    }

    /// Calls from the program's entry can come here.
    pub fn is_reachable(&self, function: FunctionId) -> bool {
        self.reachable.contains(function.0 as usize)
    }

    /// The function may be called while it runs.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.condensation.is_cyclic(&self.graph, function.0)
    }

    /// Groups of mutually recursive functions (most of one function), callees before callers.
    pub fn bottom_up(&self) -> impl DoubleEndedIterator<Item = impl Iterator<Item = FunctionId> + '_> {
        self.condensation.components().map(|members| members.iter().copied().map(FunctionId))
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}
