//! In which order states are looked at.

use crate::NodeId;
use std::collections::{BinaryHeap, VecDeque};

pub trait Waitlist {
    /// Adds a node; its rank is what [`Analysis::rank`](crate::Analysis::rank) says of its state.
    fn push(&mut self, node: NodeId, rank: u64);
    fn pop(&mut self) -> Option<NodeId>;
    /// All that wait, in no particular order.
    fn nodes(&self) -> Vec<NodeId>;
}

/// The newest first.
#[derive(Default, Debug)]
pub struct DepthFirst(Vec<NodeId>);

impl Waitlist for DepthFirst {
    fn push(&mut self, node: NodeId, _: u64) {
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
    fn push(&mut self, node: NodeId, _: u64) {
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
#[derive(Default, Debug)]
pub struct Priority(BinaryHeap<(std::cmp::Reverse<u64>, NodeId)>);

impl Waitlist for Priority {
    fn push(&mut self, node: NodeId, rank: u64) {
        self.0.push((std::cmp::Reverse(rank), node));
    }

    fn pop(&mut self) -> Option<NodeId> {
        self.0.pop().map(|(_, node)| node)
    }

    fn nodes(&self) -> Vec<NodeId> {
        self.0.iter().map(|&(_, node)| node).collect()
    }
}
