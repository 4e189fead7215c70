//! Other ways through the graph than the one by which a node was found first.
//!
//! Backward from a node, at each step one of the ways into it is picked: the one in the tree, or one that was
//! found to be covered later. Which one is random, with a fixed seed; every pick from outside of the tree
//! makes the next one less likely, so that the walk comes to the start.

use super::analysis::{Choice, Explicit};
use cpa::{NodeId, Reached};

pub struct OtherPaths {
    /// Ways into nodes that were covered, by where they lead.
    starts: Vec<u32>,
    ways: Vec<(NodeId, Choice)>,
    random: u64,
}

impl OtherPaths {
    pub fn new(reached: &Reached<Explicit<'_>>) -> Self {
        let mut sorted: Vec<usize> = (0..reached.covered.len()).collect();
        sorted.sort_by_key(|&index| reached.covered[index].to);
        let mut starts = vec![0u32; reached.len() + 1];
        for way in &reached.covered {
            starts[way.to.0 as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let ways =
            sorted.into_iter().map(|index| (reached.covered[index].from, reached.covered[index].choice));
        Self { starts, ways: ways.collect(), random: 1 }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.random >> 33) % bound.max(1)
    }

    /// A path from the first node to this one.
    pub fn path(&mut self, reached: &Reached<Explicit<'_>>, node: NodeId) -> Vec<(NodeId, Choice)> {
        let (mut path, mut at, mut detours) = (Vec::new(), node, 0);
        loop {
            let range = self.starts[at.0 as usize] as usize..self.starts[at.0 as usize + 1] as usize;
            let step = if !range.is_empty() && self.below(2 + detours) < 1 {
                detours += 1;
                let pick = range.start + self.below(range.len() as u64) as usize;
                Some(self.ways[pick])
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
