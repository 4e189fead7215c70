//! Depth-first search and the orders that come from it.

use super::{Graph, NO_NODE};

/// What one depth-first search from a root leaves behind. Successors are taken in their order.
#[derive(Clone, Debug)]
pub struct DepthFirst {
    /// Nodes in the order in which they were first seen.
    pub preorder: Vec<u32>,
    /// Nodes in the order in which they were left.
    pub postorder: Vec<u32>,
    /// Position of each node in `preorder`; [`NO_NODE`] for those that were not reached.
    pub number: Vec<u32>,
    /// The node from which each node was first seen; [`NO_NODE`] for the root and the unreached.
    pub parent: Vec<u32>,
}

impl DepthFirst {
    pub fn new(graph: &Graph, root: u32) -> Self {
        let count = graph.node_count();
        let mut search = Self {
            preorder: Vec::new(),
            postorder: Vec::new(),
            number: vec![NO_NODE; count],
            parent: vec![NO_NODE; count],
        };
        if (root as usize) < count {
            search.run(graph, root);
        }
        search
    }

    fn run(&mut self, graph: &Graph, root: u32) {
        self.enter(root);
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            match graph.successors(node).get(*next) {
                Some(&target) => {
                    *next += 1;
                    if self.number[target as usize] == NO_NODE {
                        self.parent[target as usize] = node;
                        self.enter(target);
                        path.push((target, 0));
                    }
                }
                None => {
                    self.postorder.push(node);
                    path.pop();
                }
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.number[node as usize] = self.preorder.len() as u32;
        self.preorder.push(node);
    }

    pub fn is_reached(&self, node: u32) -> bool {
        self.number[node as usize] != NO_NODE
    }

    /// Every node before its successors, back edges aside.
    pub fn reverse_postorder(&self) -> impl Iterator<Item = u32> + '_ {
        self.postorder.iter().rev().copied()
    }

    /// Position of each node in the reverse post-order; [`NO_NODE`] for those that were not reached.
    pub fn reverse_postorder_numbers(&self) -> Vec<u32> {
        let mut numbers = vec![NO_NODE; self.number.len()];
        for (position, node) in self.reverse_postorder().enumerate() {
            numbers[node as usize] = position as u32;
        }
        numbers
    }
}
