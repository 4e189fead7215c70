//! In which order states are looked at.

use crate::NodeId;
use std::collections::{BinaryHeap, VecDeque};

pub trait Waitlist {
    fn push(&mut self, node: NodeId);
    fn pop(&mut self) -> Option<NodeId>;
    /// All that wait, in no particular order.
    fn nodes(&self) -> Vec<NodeId>;
}

/// The newest first.
#[derive(Default, Debug)]
pub struct DepthFirst(Vec<NodeId>);

impl Waitlist for DepthFirst {
    fn push(&mut self, node: NodeId) {
        self.0.push(node);
    }

    fn pop(&mut self) -> Option<NodeId> {
        self.0.pop()
    }

    fn nodes(&self) -> Vec<NodeId> {
        self.0.clone()
    }
}

/// The oldest first.
#[derive(Default, Debug)]
pub struct BreadthFirst(VecDeque<NodeId>);

impl Waitlist for BreadthFirst {
    fn push(&mut self, node: NodeId) {
        self.0.push_back(node);
    }

    fn pop(&mut self) -> Option<NodeId> {
        self.0.pop_front()
    }

    fn nodes(&self) -> Vec<NodeId> {
        self.0.iter().copied().collect()
    }
}

/// The lowest rank first, among equals the newest. With positions in a weak topological order as ranks,
/// all ways into a location are seen before it is left.
pub struct Priority<F> {
    rank: F,
    heap: BinaryHeap<(std::cmp::Reverse<u64>, NodeId)>,
}

impl<F: FnMut(NodeId) -> u64> Priority<F> {
    pub fn new(rank: F) -> Self {
        Self { rank, heap: BinaryHeap::new() }
    }
}

impl<F: FnMut(NodeId) -> u64> Waitlist for Priority<F> {
    fn push(&mut self, node: NodeId) {
        let rank = (self.rank)(node);
        self.heap.push((std::cmp::Reverse(rank), node));
    }

    fn pop(&mut self) -> Option<NodeId> {
        self.heap.pop().map(|(_, node)| node)
    }

    fn nodes(&self) -> Vec<NodeId> {
        self.heap.iter().map(|&(_, node)| node).collect()
    }
}
