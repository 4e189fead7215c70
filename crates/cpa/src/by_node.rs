//! Lists beside the graph, grouped by node: a counting sort, since graphs have millions of nodes.

use crate::NodeId;

/// The positions in a list of what belongs to each node.
pub struct ByNode {
    /// Where the positions of each node start.
    starts: Vec<u32>,
    positions: Vec<u32>,
}

impl ByNode {
    /// Of a list that names these nodes, one after the other, of so many.
    pub fn new(count: usize, named: impl ExactSizeIterator<Item = NodeId> + Clone) -> Self {
        let mut starts = vec![0u32; count + 1];
        named.clone().for_each(|node| starts[node.0 as usize + 1] += 1);
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let (mut next, mut positions) = (starts.clone(), vec![0u32; named.len()]);
        for (position, node) in named.enumerate() {
            let place = &mut next[node.0 as usize];
            positions[*place as usize] = position as u32;
            *place += 1;
        }
        Self { starts, positions }
    }

    /// In the order of the list.
    pub fn of(&self, node: NodeId) -> &[u32] {
        let start = node.0 as usize;
        &self.positions[self.starts[start] as usize..self.starts[start + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_by_node() {
        let named = [3, 1, 3, 0, 3].map(NodeId);
        let grouped = ByNode::new(5, named.into_iter());
        let of = |node| grouped.of(NodeId(node)).to_vec();
        assert_eq!([of(0), of(1), of(2), of(3), of(4)], [vec![3], vec![1], vec![], vec![0, 2, 4], vec![]]);
    }
}
