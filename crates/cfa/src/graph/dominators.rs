//! Dominator trees by the semi-NCA algorithm (Georgiadis, Tarjan and Werneck, "Finding dominators
//! in practice", 2006).
//!
//! Semidominators as in Lengauer and Tarjan, with path compression; immediate dominators then come
//! from walking up the tree that is being built. The iterative algorithm of Cooper, Harvey and
//! Kennedy is simpler still, but quadratic where a location is entered from everywhere, and the
//! exit of a function with ten thousand `return`s is.
//!
//! Post-dominators are the dominators of the reversed graph, with a root added before all ends.

use super::{Graph, NO_NODE, order::DepthFirst};

/// The dominator tree of the nodes that a root reaches.
#[derive(Clone, Debug)]
pub struct Dominators {
    immediate: Vec<u32>,
    /// Nodes in an order in which dominators come first.
    preorder: Vec<u32>,
    /// When a walk of the tree comes to a node, and when it leaves it: ancestors enclose.
    entered: Vec<u32>,
    left: Vec<u32>,
}

impl Dominators {
    pub fn new(graph: &Graph, root: u32) -> Self {
        Self::with_predecessors(graph, &graph.reversed(), root)
    }

    pub fn with_predecessors(graph: &Graph, predecessors: &Graph, root: u32) -> Self {
        let search = DepthFirst::new(graph, root);
        let immediate = SemiNca::new(&search).run(&search, predecessors);
        let (entered, left) = number_tree(&immediate, &search.preorder);
        Self { immediate, preorder: search.preorder, entered, left }
    }

    /// Post-dominators: `ends` are the nodes behind which nothing comes. The root of the tree is
    /// node `node_count`. Nodes from which no end can be reached are outside of the tree.
    pub fn post(graph: &Graph, ends: &[u32]) -> Self {
        let root = graph.node_count() as u32;
        let to_root = ends.iter().map(|&end| (end, root));
        let with_root = Graph::new(graph.node_count() + 1, graph.edges().chain(to_root));
        Self::with_predecessors(&with_root.reversed(), &with_root, root)
    }

    /// `None` for the root and for what it does not reach.
    #[inline]
    pub fn immediate(&self, node: u32) -> Option<u32> {
        Some(self.immediate[node as usize]).filter(|&dominator| dominator != NO_NODE)
    }

    pub fn is_reached(&self, node: u32) -> bool {
        self.left[node as usize] != 0
    }

    /// Every path from the root to `node` goes through `dominator`. A node dominates itself.
    #[inline]
    pub fn dominates(&self, dominator: u32, node: u32) -> bool {
        let (dominator, node) = (dominator as usize, node as usize);
        self.left[dominator] != 0
            && self.entered[dominator] <= self.entered[node]
            && self.left[node] <= self.left[dominator]
            && self.left[node] != 0
    }

    /// The node's dominators from the immediate one up to the root.
    pub fn strict_dominators(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.immediate(node), |&dominator| self.immediate(dominator))
    }

    /// The nodes that are reached, dominators before what they dominate.
    pub fn top_down(&self) -> &[u32] {
        &self.preorder
    }
}

/// Works on numbers of the preorder, in which parents come first.
struct SemiNca {
    parent: Vec<u32>,
    ancestor: Vec<u32>,
    semi: Vec<u32>,
    /// The node of least semidominator on the compressed path to the ancestor.
    label: Vec<u32>,
    path: Vec<u32>,
}

impl SemiNca {
    fn new(search: &DepthFirst) -> Self {
        let count = search.preorder.len();
        let number = |node: u32| search.number.get(node as usize).copied().unwrap_or(0);
        let parent: Vec<u32> =
            search.preorder.iter().map(|&node| number(search.parent[node as usize])).collect();
        let own: Vec<u32> = (0..count as u32).collect();
        Self { ancestor: vec![NO_NODE; count], semi: own.clone(), label: own, parent, path: Vec::new() }
    }

    fn run(mut self, search: &DepthFirst, predecessors: &Graph) -> Vec<u32> {
        let count = search.preorder.len();
        for node in (1..count).rev() {
            for &predecessor in predecessors.successors(search.preorder[node]) {
                let predecessor = search.number[predecessor as usize];
                if predecessor != NO_NODE {
                    let candidate = self.evaluate(predecessor);
                    self.semi[node] = self.semi[node].min(candidate);
                }
            }
            self.ancestor[node] = self.parent[node];
        }
        let mut immediate = vec![NO_NODE; search.number.len()];
        let mut dominator = self.parent.clone();
        for node in 1..count {
            while dominator[node] > self.semi[node] {
                dominator[node] = dominator[dominator[node] as usize];
            }
            immediate[search.preorder[node] as usize] = search.preorder[dominator[node] as usize];
        }
        immediate
    }

    /// The least semidominator on the way from `node` to the root of its linked tree.
    fn evaluate(&mut self, node: u32) -> u32 {
        if self.ancestor[node as usize] == NO_NODE {
            return self.semi[node as usize];
        }
        self.compress(node);
        self.semi[self.label[node as usize] as usize]
    }

    fn compress(&mut self, node: u32) {
        let mut current = node;
        while self.ancestor[self.ancestor[current as usize] as usize] != NO_NODE {
            self.path.push(current);
            current = self.ancestor[current as usize];
        }
        while let Some(below) = self.path.pop() {
            let below = below as usize;
            let above = self.ancestor[below] as usize;
            if self.semi[self.label[above] as usize] < self.semi[self.label[below] as usize] {
                self.label[below] = self.label[above];
            }
            self.ancestor[below] = self.ancestor[above];
        }
    }
}

/// Brackets for ancestor queries: (entered, left) for each node, `left` being 0 for the unreached.
fn number_tree(immediate: &[u32], preorder: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let count = immediate.len();
    let mut size = vec![0u32; count];
    for &node in preorder.iter().rev() {
        size[node as usize] += 1;
        let own = size[node as usize];
        if let Some(parent) = size.get_mut(immediate[node as usize] as usize) {
            *parent += own;
        }
    }
    let mut entered = vec![0; count];
    let mut left = vec![0; count];
    let mut next_child = vec![0u32; count];
    for &node in preorder {
        let position = match immediate[node as usize] {
            NO_NODE => 0,
            parent => next_child[parent as usize],
        };
        if let Some(next) = next_child.get_mut(immediate[node as usize] as usize) {
            *next += size[node as usize];
        }
        entered[node as usize] = position;
        next_child[node as usize] = position + 1;
        left[node as usize] = position + size[node as usize];
    }
    (entered, left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::BitSet;
    use crate::testing::{Random, random_graph};

    /// What the root reaches when `removed` is taken out.
    fn reached_without(graph: &Graph, root: u32, removed: Option<u32>) -> BitSet {
        let edges = graph.edges().filter(|&(from, to)| Some(from) != removed && Some(to) != removed);
        let rest = Graph::new(graph.node_count(), edges);
        rest.reachable_from(Some(root).filter(|&root| Some(root) != removed))
    }

    fn check(graph: &Graph, root: u32, dominators: &Dominators) {
        let all = reached_without(graph, root, None);
        for a in graph.nodes() {
            let without = reached_without(graph, root, Some(a));
            for b in graph.nodes() {
                let expected = all.contains(a as usize)
                    && all.contains(b as usize)
                    && (a == b || !without.contains(b as usize));
                assert_eq!(dominators.dominates(a, b), expected, "{a} {b} {graph:?}");
            }
            let strict: Vec<u32> = dominators.strict_dominators(a).collect();
            assert!(strict.iter().all(|&d| d != a && dominators.dominates(d, a)));
            let dominating = graph.nodes().filter(|&d| d != a && dominators.dominates(d, a)).count();
            assert_eq!(strict.len(), dominating);
        }
    }

    #[test]
    fn dominators_are_the_nodes_whose_removal_cuts_off() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let graph = random_graph(&mut random, 10);
            check(&graph, 0, &Dominators::new(&graph, 0));
        }
    }

    #[test]
    fn post_dominators_are_dominators_of_the_reversed_graph() {
        let mut random = Random::new(2);
        for _ in 0..300 {
            let graph = random_graph(&mut random, 9);
            let ends: Vec<u32> =
                graph.nodes().filter(|&n| graph.successors(n).is_empty() || random.below(4) == 0).collect();
            let root = graph.node_count() as u32;
            let with_root =
                Graph::new(root as usize + 1, graph.edges().chain(ends.iter().map(|&end| (end, root))));
            check(&with_root.reversed(), root, &Dominators::post(&graph, &ends));
        }
    }

    #[test]
    fn a_node_entered_from_everywhere_is_no_trouble() {
        let count = 200_000u32;
        let chain = (0..count - 1).map(|n| (n, n + 1));
        let exits = (0..count - 1).map(|n| (n, count));
        let graph = Graph::new(count as usize + 1, chain.chain(exits));
        let dominators = Dominators::new(&graph, 0);
        assert_eq!(dominators.immediate(count), Some(0));
        assert_eq!(dominators.immediate(count - 1), Some(count - 2));
    }
}
