//! The large-block summary of a function: every loop-free part of its control flow becomes one edge
//! (Beyer, Cimatti, Griggio, Keremoglu and Sebastiani, "Software Model Checking via Large-Block
//! Encoding", FMCAD 2009, section III).
//!
//! - Rule 0: edges out of the error location are removed.
//! - Rule 1: a location with a single edge into it is removed, and that edge is put before each of
//!   the edges out of it (sequence).
//! - Rule 2: two edges with the same ends become one (choice).
//!
//! Functions stay functions, so calls do not become part of blocks: a call edge is an edge of its
//! own in the summary, and its ends are kept. So are the entry, the exit and the error locations,
//! which the paper keeps, too (Theorem 3.1), and whatever else the user wants to look at.

mod reduce;
#[cfg(test)]
mod tests;
mod text;

use crate::graph::{BitSet, DepthFirst, FlowGraph};
use crate::program::*;
use base::{Arena, ListPool, Range, define_id};

define_id! {
    /// A block of a summary.
    BlockId
}

/// What is done on the way along an edge of a summary.
#[derive(Clone, Copy, Debug)]
pub enum Block {
    /// What one edge of the program does.
    Edge(EdgeId),
    /// One after the other. At least two.
    Sequence(Range<BlockId>),
    /// One of them. At least two.
    Choice(Range<BlockId>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SummaryEdge {
    pub from: LocationId,
    pub to: LocationId,
    pub block: BlockId,
}

/// The summary of one function.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub blocks: Arena<BlockId, Block>,
    lists: ListPool<BlockId>,
    /// The locations that are left, ascending.
    pub locations: Vec<LocationId>,
    /// Sorted by their ends; no two have the same.
    pub edges: Vec<SummaryEdge>,
}

/// What a summary must not hide.
#[derive(Clone, Debug, Default)]
pub struct Boundaries {
    /// Locations that are kept and lose their edges out.
    pub errors: Vec<LocationId>,
    /// Further locations that are kept.
    pub keep: Vec<LocationId>,
}

impl Boundaries {
    /// The ends of calls of functions that have a body or are called through a pointer, and of calls
    /// of `error`, behind which nothing comes.
    pub fn of_function(program: &Program, body: &Body, error: Option<FunctionId>) -> Self {
        let mut boundaries = Self::default();
        for edge in body.edges.clone().map(EdgeId).map(|id| &program.edges[id]) {
            let EdgeKind::Call(call) = edge.kind else { continue };
            let callee = program.calls[call].callee;
            if error.is_some_and(|error| callee == Callee::Direct(error)) {
                boundaries.errors.push(edge.to);
            }
            let is_plain = matches!(callee, Callee::Direct(f) if program.functions[f].body.is_none());
            if !is_plain {
                boundaries.keep.extend([edge.from, edge.to]);
            }
        }
        boundaries
    }
}

impl Summary {
    pub fn new(program: &Program, body: &Body, boundaries: &Boundaries) -> Self {
        let order = Reduction::by_depth(program, body);
        Self::in_order(program, body, boundaries, &order)
    }

    /// The parts of a sequence or a choice.
    pub fn parts(&self, list: Range<BlockId>) -> &[BlockId] {
        &self.lists[list]
    }

    /// Edges out of a location.
    pub fn leaving(&self, location: LocationId) -> &[SummaryEdge] {
        let start = self.edges.partition_point(|edge| edge.from < location);
        let count = self.edges[start..].partition_point(|edge| edge.from == location);
        &self.edges[start..start + count]
    }

    fn in_order(program: &Program, body: &Body, boundaries: &Boundaries, rank: &Reduction) -> Self {
        reduce::reduce(program, body, boundaries, rank)
    }
}

/// Which of the locations that Rule 1 applies to goes first: the one of the highest rank.
pub(crate) struct Reduction {
    rank: Vec<u32>,
}

impl Reduction {
    /// The location that control comes to last. Then what follows a location has become one edge,
    /// where it can, before the location itself goes, and blocks stay as small as the program: the
    /// other way round, the blocks before a branch are repeated in both of its arms.
    fn by_depth(program: &Program, body: &Body) -> Self {
        let flow = FlowGraph::new(program, body);
        Self { rank: DepthFirst::new(&flow.graph, flow.entry).reverse_postorder_numbers() }
    }
}

/// Locations that are kept whatever happens.
fn kept(flow: &FlowGraph, boundaries: &Boundaries) -> BitSet {
    let mut kept = BitSet::new(flow.graph.node_count());
    kept.insert(flow.entry as usize);
    kept.insert(flow.exit as usize);
    for &location in boundaries.keep.iter().chain(&boundaries.errors) {
        kept.insert(flow.node(location) as usize);
    }
    kept
}
