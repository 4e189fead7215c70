//! The reached set, which is also the abstract reachability graph.
//!
//! A node is a state and the way to it. States of one partition are chained behind a hash table of node
//! numbers, so that looking for a covering state costs one probe where partitions are fine. Ways that lead
//! to a covering state, and ways that end, are kept as flat lists beside the tree.

use crate::{Analysis, Waitlist};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

const NONE: u32 = u32::MAX;

/// From a node by one of its choices to another that was there before and covers what follows.
#[derive(Clone, Copy, Debug)]
pub struct Way<C> {
    pub from: NodeId,
    pub choice: C,
    pub to: NodeId,
}

/// A path that ends.
#[derive(Clone, Debug)]
pub struct End<C, E> {
    pub from: NodeId,
    pub choice: C,
    pub end: E,
}

pub struct Reached<A: Analysis> {
    states: Vec<A::State>,
    parents: Vec<u32>,
    choices: Vec<Option<A::Choice>>,
    /// The next node of the same partition.
    next: Vec<u32>,
    partitions: HashTable<u32>,
    pub covered: Vec<Way<A::Choice>>,
    pub ends: Vec<End<A::Choice, A::End>>,
}

impl<A: Analysis> Default for Reached<A> {
    fn default() -> Self {
        Self {
            states: Vec::new(),
            parents: Vec::new(),
            choices: Vec::new(),
            next: Vec::new(),
            partitions: HashTable::new(),
            covered: Vec::new(),
            ends: Vec::new(),
        }
    }
}

fn hash_of<A: Analysis>(analysis: &A, state: &A::State) -> u64 {
    FxBuildHasher.hash_one(analysis.partition(state))
}

impl<A: Analysis> Reached<A> {
    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<A> {
        (0..self.states.len() as u32).map(NodeId)
    }

    pub fn state(&self, node: NodeId) -> &A::State {
        &self.states[node.0 as usize]
    }

    /// The node before, and the choice that leads from there.
    pub fn parent(&self, node: NodeId) -> Option<(NodeId, A::Choice)> {
        let choice = self.choices[node.0 as usize]?;
        Some((NodeId(self.parents[node.0 as usize]), choice))
    }

    /// The choices from the first node to this one.
    pub fn path(&self, node: NodeId) -> Vec<(NodeId, A::Choice)> {
        let mut path: Vec<_> =
            std::iter::successors(self.parent(node), |&(node, _)| self.parent(node)).collect();
        path.reverse();
        path
    }

    /// Bytes in use, what states share aside.
    pub fn memory(&self) -> usize {
        let node = size_of::<A::State>() + size_of::<Option<A::Choice>>() + 2 * size_of::<u32>();
        self.states.capacity() * node
            + self.partitions.capacity() * (size_of::<u32>() + 1)
            + self.covered.capacity() * size_of::<Way<A::Choice>>()
            + self.ends.capacity() * size_of::<End<A::Choice, A::End>>()
    }

    pub fn add(&mut self, analysis: &A, state: A::State, from: Option<(NodeId, A::Choice)>) -> NodeId {
        let id = u32::try_from(self.states.len()).expect("fewer than 2^32 states");
        let (hash, partition) = (hash_of(analysis, &state), analysis.partition(&state));
        let states = &mut self.states;
        let same = |&other: &u32| analysis.partition(&states[other as usize]) == partition;
        let next = match self.partitions.find_mut(hash, same) {
            Some(first) => std::mem::replace(first, id),
            None => {
                let rehash = |&other: &u32| hash_of(analysis, &states[other as usize]);
                self.partitions.insert_unique(hash, id, rehash);
                NONE
            }
        };
        self.states.push(state);
        self.next.push(next);
        self.parents.push(from.map_or(NONE, |(node, _)| node.0));
        self.choices.push(from.map(|(_, choice)| choice));
        NodeId(id)
    }

    /// The nodes of the same partition as a state.
    fn candidates(&self, analysis: &A, state: &A::State) -> impl Iterator<Item = NodeId> + use<'_, A> {
        let partition = analysis.partition(state);
        let same = |&other: &u32| analysis.partition(&self.states[other as usize]) == partition;
        let first = self.partitions.find(hash_of(analysis, state), same).copied();
        let step = |&node: &u32| Some(self.next[node as usize]).filter(|&next| next != NONE);
        std::iter::successors(first, step).map(NodeId)
    }

    /// The node whose state covers this one.
    pub fn covering(&self, analysis: &A, state: &A::State) -> Option<NodeId> {
        self.candidates(analysis, state).find(|&node| analysis.is_covered(state, self.state(node)))
    }

    /// Merges a new state into those of its partition, which then wait to be looked at again.
    pub fn merge(&mut self, analysis: &mut A, new: &A::State, waitlist: &mut dyn Waitlist) {
        let mut next = self.candidates(analysis, new).next();
        while let Some(node) = next {
            if let Some(merged) = analysis.merge(new, self.state(node)) {
                self.states[node.0 as usize] = merged;
                waitlist.push(node, analysis.rank(&merged));
            }
            next = Some(self.next[node.0 as usize]).filter(|&id| id != NONE).map(NodeId);
        }
    }

    pub fn cover(&mut self, from: NodeId, choice: A::Choice, to: NodeId) {
        self.covered.push(Way { from, choice, to });
    }

    pub fn end(&mut self, from: NodeId, choice: A::Choice, end: A::End) {
        self.ends.push(End { from, choice, end });
    }
}
