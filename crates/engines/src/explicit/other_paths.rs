//! Other ways through the graph than the one by which a node was found first.
//!
//! Backward from a node, at each step one of the ways into it is picked: the one in the tree, or one that was
//! found to be covered later. Which one is random, with a fixed seed; every pick from outside of the tree
//! makes the next one less likely, so that the walk comes to the start.

use super::analysis::{Choice, Explicit};
use cpa::{ByNode, NodeId, Reached};

pub struct OtherPaths {
    /// Ways that were covered, by where they lead.
    covered: ByNode,
    random: u64,
}

impl OtherPaths {
    pub fn new(reached: &Reached<Explicit<'_>>) -> Self {
        let targets = reached.covered.iter().map(|way| way.to);
        Self { covered: ByNode::new(reached.len(), targets), random: 1 }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.random >> 33) % bound.max(1)
    }

    /// A path from the first node to this one.
    pub fn path(&mut self, reached: &Reached<Explicit<'_>>, node: NodeId) -> Vec<(NodeId, Choice)> {
        let (mut path, mut at, mut detours) = (Vec::new(), node, 0);
        loop {
            let count = self.covered.of(at).len() as u64;
            let step = if count > 0 && self.below(2 + detours) < 1 {
                detours += 1;
                let pick = self.below(count) as usize;
                let way = &reached.covered[self.covered.of(at)[pick] as usize];
                Some((way.from, way.choice))
            } else {
                reached.parent(at)
            };
            let Some((before, choice)) = step else { break };
            path.push((before, choice));
            at = before;
        }
        path.reverse();
        path
    }
}
