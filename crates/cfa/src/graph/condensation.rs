//! Strongly connected components: Tarjan's algorithm without recursion.

use super::{Graph, NO_NODE};

/// The components of a graph, numbered so that every edge between two of them goes from the higher
/// number to the lower: components in ascending order are callees before callers, sinks first.
#[derive(Clone, Debug)]
pub struct Condensation {
    /// The component of each node.
    pub component: Vec<u32>,
    members: Vec<u32>,
    /// Where each component's members start; one more entry than there are components.
    starts: Vec<u32>,
}

struct Search<'g> {
    graph: &'g Graph,
    number: Vec<u32>,
    low: Vec<u32>,
    next_number: u32,
    stack: Vec<u32>,
    result: Condensation,
}

impl Condensation {
    pub fn new(graph: &Graph) -> Self {
        let count = graph.node_count();
        let mut search = Search {
            graph,
            number: vec![NO_NODE; count],
            low: vec![0; count],
            next_number: 0,
            stack: Vec::new(),
            result: Condensation { component: vec![NO_NODE; count], members: Vec::new(), starts: vec![0] },
        };
        for root in graph.nodes() {
            if search.number[root as usize] == NO_NODE {
                search.run(root);
            }
        }
        search.result
    }

    pub fn component_count(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn members(&self, component: u32) -> &[u32] {
        let component = component as usize;
        &self.members[self.starts[component] as usize..self.starts[component + 1] as usize]
    }

    /// The components, sinks first.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &[u32]> {
        self.starts.windows(2).map(|bounds| &self.members[bounds[0] as usize..bounds[1] as usize])
    }

    /// True if the node lies on a cycle.
    pub fn is_cyclic(&self, graph: &Graph, node: u32) -> bool {
        self.members(self.component[node as usize]).len() > 1 || graph.successors(node).contains(&node)
    }
}

impl Search<'_> {
    fn run(&mut self, root: u32) {
        self.enter(root);
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let Some(&target) = self.graph.successors(node).get(*next) {
                *next += 1;
                if self.number[target as usize] == NO_NODE {
                    self.enter(target);
                    path.push((target, 0));
                } else if self.result.component[target as usize] == NO_NODE {
                    self.lower(node, self.number[target as usize]);
                }
            } else {
                path.pop();
                self.leave(node);
                if let Some(&(parent, _)) = path.last() {
                    self.lower(parent, self.low[node as usize]);
                }
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.number[node as usize] = self.next_number;
        self.low[node as usize] = self.next_number;
        self.next_number += 1;
        self.stack.push(node);
    }

    fn lower(&mut self, node: u32, low: u32) {
        let slot = &mut self.low[node as usize];
        *slot = (*slot).min(low);
    }

    /// Closes the component that has `node` as its first member, if there is one.
    fn leave(&mut self, node: u32) {
        if self.low[node as usize] != self.number[node as usize] {
            return;
        }
        let component = self.result.component_count() as u32;
        while let Some(member) = self.stack.pop() {
            self.result.component[member as usize] = component;
            self.result.members.push(member);
            if member == node {
                break;
            }
        }
        self.result.starts.push(self.result.members.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, random_graph};

    #[test]
    fn components_are_mutual_reachability_and_numbered_from_the_sinks() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let graph = random_graph(&mut random, 12);
            let condensation = Condensation::new(&graph);
            let reach: Vec<_> = graph.nodes().map(|n| graph.reachable_from([n])).collect();
            for a in graph.nodes() {
                for b in graph.nodes() {
                    let mutual =
                        reach[a as usize].contains(b as usize) && reach[b as usize].contains(a as usize);
                    let same = condensation.component[a as usize] == condensation.component[b as usize];
                    assert_eq!(mutual, same);
                }
                for &b in graph.successors(a) {
                    assert!(condensation.component[a as usize] >= condensation.component[b as usize]);
                }
            }
        }
    }
}
