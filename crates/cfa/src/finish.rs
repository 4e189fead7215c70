//! From the draft of a function to its place in the program.
//!
//! Locations that were made the same are merged, unreachable ones dropped, and the rest numbered in
//! reverse post-order, so that a location comes before its successors, loops aside, and an analysis
//! that goes by number converges fast. The exit is the last location and always there.

use crate::lower::draft::Draft;
use crate::program::*;
use base::arena::Id;

/// The function that a draft is of, in the draft's own locations.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) function: FunctionId,
    pub(crate) entry: LocationId,
    pub(crate) exit: LocationId,
}

/// Where a function has gone.
pub(crate) struct Finished {
    pub(crate) entry: LocationId,
    pub(crate) exit: LocationId,
    pub(crate) locations: std::ops::Range<u32>,
    pub(crate) edges: std::ops::Range<u32>,
    /// Of the draft's locations; [`NOWHERE`] for unreachable ones.
    numbers: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Finished {
    /// What a location of the draft has become, if it can be reached.
    pub(crate) fn location(&self, draft: &mut Draft, location: LocationId) -> Option<LocationId> {
        match self.numbers[draft.representative(location).index()] {
            NOWHERE => None,
            number => Some(LocationId(number)),
        }
    }
}

pub(crate) fn finish(program: &mut Program, draft: &mut Draft, shape: Shape) -> Finished {
    for index in 0..draft.edges.len() {
        let Edge { from, to, .. } = draft.edges[index];
        draft.edges[index].from = draft.representative(from);
        draft.edges[index].to = draft.representative(to);
    }
    let entry = draft.representative(shape.entry);
    let graph = Graph::new(&draft.edges, draft.location_count());
    let order = graph.reverse_post_order(entry, shape.exit);
    append(program, &graph, &order, shape, entry)
}

/// The edges of a draft by their source.
struct Graph<'d> {
    edges: &'d [Edge],
    /// Numbers of edges, by source location, in the order in which they were made.
    sorted: Vec<u32>,
    /// Where the edges of each location start in `sorted`.
    starts: Vec<u32>,
}

impl<'d> Graph<'d> {
    fn new(edges: &'d [Edge], locations: usize) -> Graph<'d> {
        let (sorted, starts) = sort_by_key(edges, locations, |edge| edge.from.index());
        Graph { edges, sorted, starts }
    }

    fn leaving(&self, location: LocationId) -> &[u32] {
        let range = self.starts[location.index()]..self.starts[location.index() + 1];
        &self.sorted[range.start as usize..range.end as usize]
    }

    /// Reachable locations; the first edge out of a location leads to the earlier number, so that
    /// the numbers follow the text. The exit is put last, reachable or not.
    fn reverse_post_order(&self, entry: LocationId, exit: LocationId) -> Vec<LocationId> {
        let mut order = vec![exit];
        let mut seen = vec![false; self.starts.len() - 1];
        seen[exit.index()] = true;
        seen[entry.index()] = true;
        // A location and how many of its edges are still to be followed.
        let mut open = vec![(entry, self.leaving(entry).len())];
        while let Some((location, left)) = open.last_mut() {
            if *left == 0 {
                order.push(*location);
                open.pop();
                continue;
            }
            *left -= 1;
            let edge = self.leaving(*location)[*left];
            let to = self.edges[edge as usize].to;
            if !std::mem::replace(&mut seen[to.index()], true) {
                open.push((to, self.leaving(to).len()));
            }
        }
        order.reverse();
        order
    }
}

/// A counting sort: the indices of the items in the order of their keys, and where each key starts.
fn sort_by_key<T>(items: &[T], keys: usize, key: impl Fn(&T) -> usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; keys + 1];
    for item in items {
        starts[key(item) + 1] += 1;
    }
    for index in 0..keys {
        starts[index + 1] += starts[index];
    }
    let mut next = starts.clone();
    let mut sorted = vec![0; items.len()];
    for (index, item) in items.iter().enumerate() {
        let slot = &mut next[key(item)];
        sorted[*slot as usize] = index as u32;
        *slot += 1;
    }
    (sorted, starts)
}

fn append(
    program: &mut Program,
    graph: &Graph<'_>,
    order: &[LocationId],
    shape: Shape,
    entry: LocationId,
) -> Finished {
    let first_location = program.locations.next_id();
    let first_edge = program.edges.next_id();
    let mut numbers = vec![NOWHERE; graph.starts.len() - 1];
    for (index, location) in order.iter().enumerate() {
        numbers[location.index()] = first_location.0 + index as u32;
    }
    for &location in order {
        let leaving = graph.leaving(location);
        program.locations.push(Location {
            function: shape.function,
            first_edge: program.edges.next_id(),
            edge_count: leaving.len() as u32,
            entering: base::Range::EMPTY,
        });
        for &edge in leaving {
            let edge = graph.edges[edge as usize];
            let from = LocationId(numbers[edge.from.index()]);
            let to = LocationId(numbers[edge.to.index()]);
            program.edges.push(Edge { from, to, ..edge });
        }
    }
    list_entering(program, first_location, first_edge);
    Finished {
        entry: LocationId(numbers[entry.index()]),
        exit: LocationId(numbers[shape.exit.index()]),
        locations: first_location.0..program.locations.next_id().0,
        edges: first_edge.0..program.edges.next_id().0,
        numbers,
    }
}

/// Fills in the edges into the locations of the last function.
fn list_entering(program: &mut Program, first_location: LocationId, first_edge: EdgeId) {
    let edges = &program.edges.as_slice()[first_edge.index()..];
    let count = program.locations.len() - first_location.index();
    let target = |edge: &Edge| edge.to.index() - first_location.index();
    let (sorted, starts) = sort_by_key(edges, count, target);
    for index in 0..count {
        let entering = &sorted[starts[index] as usize..starts[index + 1] as usize];
        let ids = entering.iter().map(|&edge| EdgeId(first_edge.0 + edge));
        let range = program.edge_lists.push(ids);
        program.locations[LocationId(first_location.0 + index as u32)].entering = range;
    }
}
