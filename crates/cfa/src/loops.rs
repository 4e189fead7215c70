//! The loops of a program, nested, also where control flow is irreducible.
//!
//! One depth-first search per function finds for each location the head of the innermost loop
//! around it (Wei, Mao, Zou and Chen, "A new algorithm for identifying loops in decompilation",
//! SAS 2007): when the search meets a location that is on its current path, that location is a
//! head; when it meets one that it has left before, the heads around that one that are still on the
//! path are heads around here, too. The head of an irreducible loop is the entry that the search
//! took first. The forest is the one of this definition: the head of a strongly connected component
//! is its first location in depth-first order, and the loops inside are those of the component
//! without its head. So every cycle goes through the head of some loop that contains it.

use crate::graph::{DepthFirst, FlowGraph, NO_NODE};
use crate::program::{Body, EdgeId, FunctionId, LocationId, Program};
use base::{Arena, define_id};
use rustc_hash::FxHashMap;

define_id! {
    /// A loop of the program.
    LoopId
}

#[derive(Clone, Debug)]
pub struct Loop {
    pub function: FunctionId,
    /// Every cycle of the loop that is not a cycle of a loop inside goes through it.
    pub head: LocationId,
    /// For people: `function:line`, the second one of a line `function:line#2`.
    pub name: String,
    pub parent: Option<LoopId>,
    /// 1 for the outermost.
    pub depth: u32,
    /// Where the loop can be entered; more than the head alone if it is irreducible.
    pub entries: Vec<LocationId>,
    /// Edges from the body to the head.
    pub back_edges: Vec<EdgeId>,
    /// Edges that leave the body.
    pub exits: Vec<EdgeId>,
    /// Into [`Loops::members`].
    body: std::ops::Range<u32>,
}

impl Loop {
    pub fn is_irreducible(&self) -> bool {
        self.entries.len() > 1
    }
}

/// All loops; a loop comes after the one around it, those of a function are contiguous.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    pub loops: Arena<LoopId, Loop>,
    /// The innermost loop around each location, heads included.
    innermost: Vec<Option<LoopId>>,
    members: Vec<LocationId>,
}

impl Loops {
    pub fn new(program: &Program) -> Self {
        let mut loops = Self { innermost: vec![None; program.locations.len()], ..Self::default() };
        for (function, _, body) in program.defined_functions() {
            loops.add_function(program, function, body);
        }
        name_loops(program, &mut loops.loops);
        loops
    }

    pub fn innermost(&self, location: LocationId) -> Option<LoopId> {
        self.innermost[location.0 as usize]
    }

    /// The loop that the location is the head of.
    pub fn headed_by(&self, location: LocationId) -> Option<LoopId> {
        self.innermost(location).filter(|&id| self.loops[id].head == location)
    }

    /// The locations of a loop, those of the loops inside included, the head first.
    pub fn body(&self, id: LoopId) -> &[LocationId] {
        let body = &self.loops[id].body;
        &self.members[body.start as usize..body.end as usize]
    }

    pub fn contains(&self, id: LoopId, location: LocationId) -> bool {
        self.enclosing(location).any(|around| around == id)
    }

    /// The loops around a location, from the innermost out.
    pub fn enclosing(&self, location: LocationId) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(self.innermost(location), |&id| self.loops[id].parent)
    }

    fn add_function(&mut self, program: &Program, function: FunctionId, body: &Body) {
        let flow = FlowGraph::new(program, body);
        let heads = innermost_heads(&flow);
        if heads.head_order.is_empty() {
            return;
        }
        let ids = self.add_heads(&flow, function, &heads);
        self.add_members(&flow, &heads, &ids);
        self.add_edges(program, body);
    }

    /// Makes the loops in depth-first order of their heads, in which outer ones come first.
    fn add_heads(&mut self, flow: &FlowGraph, function: FunctionId, heads: &Heads) -> FxHashMap<u32, LoopId> {
        let mut ids = FxHashMap::default();
        for &head in &heads.head_order {
            let parent = ids.get(&heads.around[head as usize]).copied();
            let depth = parent.map_or(1, |parent: LoopId| self.loops[parent].depth + 1);
            let id = self.loops.push(Loop {
                function,
                head: flow.location(head),
                name: String::new(),
                parent,
                depth,
                entries: vec![flow.location(head)],
                back_edges: Vec::new(),
                exits: Vec::new(),
                body: 0..0,
            });
            ids.insert(head, id);
        }
        ids
    }

    /// Lays out the locations so that each loop's are contiguous, by counting how many there are.
    fn add_members(&mut self, flow: &FlowGraph, heads: &Heads, ids: &FxHashMap<u32, LoopId>) {
        let mut own: FxHashMap<LoopId, Vec<LocationId>> = FxHashMap::default();
        for &node in &heads.preorder {
            let innermost = ids.get(&node).or_else(|| ids.get(&heads.around[node as usize]));
            if let Some(&id) = innermost {
                self.innermost[flow.location(node).0 as usize] = Some(id);
                own.entry(id).or_default().push(flow.location(node));
            }
        }
        let mut order: Vec<LoopId> = heads.head_order.iter().map(|head| ids[head]).collect();
        let mut inside: FxHashMap<LoopId, Vec<LoopId>> = FxHashMap::default();
        for &id in order.iter().rev() {
            if let Some(parent) = self.loops[id].parent {
                inside.entry(parent).or_default().push(id);
            }
        }
        order.retain(|&id| self.loops[id].parent.is_none());
        order.reverse();
        let mut stack: Vec<(LoopId, bool)> = order.into_iter().map(|id| (id, false)).collect();
        while let Some((id, done)) = stack.pop() {
            let end = self.members.len() as u32;
            if done {
                self.loops[id].body.end = end;
                continue;
            }
            self.loops[id].body.start = end;
            self.members.extend(own.remove(&id).unwrap_or_default());
            stack.push((id, true));
            stack.extend(inside.remove(&id).unwrap_or_default().into_iter().map(|id| (id, false)));
        }
    }

    fn add_edges(&mut self, program: &Program, body: &Body) {
        for id in body.edges.clone().map(EdgeId) {
            let edge = &program.edges[id];
            let mut from = self.innermost(edge.from);
            while let Some(around) = from.filter(|&around| !self.contains(around, edge.to)) {
                self.loops[around].exits.push(id);
                from = self.loops[around].parent;
            }
            if let Some(headed) = self.headed_by(edge.to).filter(|&headed| self.contains(headed, edge.from)) {
                self.loops[headed].back_edges.push(id);
            }
            let mut to = self.innermost(edge.to);
            while let Some(entered) = to.filter(|&entered| !self.contains(entered, edge.from)) {
                let entries = &mut self.loops[entered].entries;
                if !entries.contains(&edge.to) {
                    entries.push(edge.to);
                }
                to = self.loops[entered].parent;
            }
        }
    }
}

/// `function:line` of the head, with a number from the second loop of a line on.
fn name_loops(program: &Program, loops: &mut Arena<LoopId, Loop>) {
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    let mut order: Vec<LoopId> = loops.ids().collect();
    order.sort_by_key(|&id| loops[id].head);
    for id in order {
        let function = program.function_name(loops[id].function);
        let span = program.leaving(loops[id].head).first().map(|edge| edge.span);
        let line = span.and_then(|span| program.sources.position(span)).map(|position| position.line);
        let name = format!("{function}:{}", line.unwrap_or(0));
        let count = seen.entry(name.clone()).or_insert(0);
        *count += 1;
        loops[id].name = if *count == 1 { name } else { format!("{name}#{count}") };
    }
}

/// What the search finds: for each node the head of the innermost loop around it, itself excluded.
struct Heads {
    around: Vec<u32>,
    preorder: Vec<u32>,
    /// The heads, outer ones first.
    head_order: Vec<u32>,
}

struct Search {
    around: Vec<u32>,
    /// Position on the current path, from 1; 0 for nodes that are not on it.
    depth: Vec<u32>,
    is_head: Vec<bool>,
}

fn innermost_heads(flow: &FlowGraph) -> Heads {
    let order = DepthFirst::new(&flow.graph, flow.entry);
    let count = flow.graph.node_count();
    let mut search =
        Search { around: vec![NO_NODE; count], depth: vec![0; count], is_head: vec![false; count] };
    search.run(flow);
    let is_head = &search.is_head;
    let head_order = order.preorder.iter().copied().filter(|&node| is_head[node as usize]).collect();
    Heads { around: search.around, preorder: order.preorder, head_order }
}

impl Search {
    fn run(&mut self, flow: &FlowGraph) {
        let mut seen = vec![false; self.around.len()];
        seen[flow.entry as usize] = true;
        self.depth[flow.entry as usize] = 1;
        let mut path = vec![(flow.entry, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let Some(&target) = flow.graph.successors(node).get(*next) {
                *next += 1;
                if !seen[target as usize] {
                    seen[target as usize] = true;
                    path.push((target, 0));
                    self.depth[target as usize] = path.len() as u32;
                } else {
                    self.meet(node, target);
                }
            } else {
                path.pop();
                self.depth[node as usize] = 0;
                if let Some(&(parent, _)) = path.last() {
                    self.set_head(parent, self.around[node as usize]);
                }
            }
        }
    }

    /// An edge to a node that has been seen before.
    fn meet(&mut self, node: u32, target: u32) {
        if self.depth[target as usize] > 0 {
            self.is_head[target as usize] = true;
            self.set_head(node, target);
            return;
        }
        let mut head = self.around[target as usize];
        while head != NO_NODE && self.depth[head as usize] == 0 {
            head = self.around[head as usize];
        }
        self.set_head(node, head);
    }

    /// `node` is in the loop of `head`: weaves it into the chain of heads around the node, which is
    /// ordered by position on the path.
    fn set_head(&mut self, node: u32, head: u32) {
        if node == head || head == NO_NODE {
            return;
        }
        let (mut inner, mut outer) = (node, head);
        while self.around[inner as usize] != NO_NODE {
            let around = self.around[inner as usize];
            if around == outer {
                return;
            }
            if self.depth[around as usize] < self.depth[outer as usize] {
                self.around[inner as usize] = outer;
                inner = outer;
                outer = around;
            } else {
                inner = around;
            }
        }
        self.around[inner as usize] = outer;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Condensation, Graph};
    use crate::testing::{Random, flow_program, random_graph};
    use std::collections::BTreeSet;

    /// (head, body) of all loops by the recursive definition.
    fn naive(graph: &Graph) -> BTreeSet<(u32, Vec<u32>)> {
        let numbers = DepthFirst::new(graph, 0).number;
        let mut result = BTreeSet::new();
        let mut work: Vec<Vec<u32>> =
            vec![graph.nodes().filter(|&n| numbers[n as usize] != NO_NODE).collect()];
        while let Some(nodes) = work.pop() {
            let inside = |n: u32| nodes.contains(&n);
            let edges: Vec<_> = graph.edges().filter(|&(a, b)| inside(a) && inside(b)).collect();
            let part = Graph::new(graph.node_count(), edges.iter().copied());
            let condensation = Condensation::new(&part);
            for members in condensation.components() {
                if !inside(members[0]) || !condensation.is_cyclic(&part, members[0]) {
                    continue;
                }
                let mut body = members.to_vec();
                body.sort_unstable();
                let head = body.iter().copied().min_by_key(|&n| numbers[n as usize]).unwrap_or(0);
                work.push(body.iter().copied().filter(|&n| n != head).collect());
                result.insert((head, body));
            }
        }
        result
    }

    #[test]
    fn loops_are_nested_components_on_any_graph() {
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let graph = random_graph(&mut random, 9);
            let program = flow_program(&graph);
            let Some((_, _, body)) = program.defined_functions().next() else { continue };
            let flow = FlowGraph::new(&program, body);
            let loops = Loops::new(&program);
            let found: BTreeSet<_> = loops
                .loops
                .ids()
                .map(|id| {
                    let mut body: Vec<u32> = loops.body(id).iter().map(|&l| flow.node(l)).collect();
                    body.sort_unstable();
                    (flow.node(loops.loops[id].head), body)
                })
                .collect();
            assert_eq!(found, naive(&flow.graph), "{graph:?}");
            check_edges(&program, &loops);
        }
    }

    fn check_edges(program: &Program, loops: &Loops) {
        for (id, item) in loops.loops.enumerated() {
            let inside = |l: LocationId| loops.body(id).contains(&l);
            let exits = program.edges.enumerated().filter(|(_, e)| inside(e.from) && !inside(e.to));
            assert_eq!(item.exits, exits.map(|(id, _)| id).collect::<Vec<_>>());
            let back = program.edges.enumerated().filter(|(_, e)| inside(e.from) && e.to == item.head);
            assert_eq!(item.back_edges, back.map(|(id, _)| id).collect::<Vec<_>>());
            let depth = loops.enclosing(item.head).count();
            assert_eq!(item.depth as usize, depth);
            assert!(item.parent.is_none_or(|parent| parent < id && loops.contains(parent, item.head)));
        }
    }

    #[test]
    fn long_bodies_do_not_overflow_the_stack() {
        let count = 100_000u32;
        let forward = (0..count - 1).map(|n| (n, n + 1));
        let graph = Graph::new(count as usize, forward.chain([(count - 1, 5)]));
        let program = flow_program(&graph);
        let loops = Loops::new(&program);
        assert_eq!(loops.loops.len(), 1);
        assert_eq!(loops.loops[LoopId(0)].name, "main:0");
    }
}
