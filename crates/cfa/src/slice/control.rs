//! What decides whether control comes to a location.
//!
//! Post-dominance in a graph with an end added, to which edges lead from wherever a run may stop:
//! the function's exit, locations without edges, those from which the criterion cannot be reached,
//! single assumptions, calls that may not return, and heads of loops, for the run may stay there.
//! Then ordinary control dependence (Ferrante, Ottenstein and Warren, 1987) is the weak one.

use super::{Criterion, Facts};
use crate::graph::{BitSet, Dominators, FlowGraph, Graph};
use crate::program::*;
use rustc_hash::FxHashMap;

/// Locations from which the criterion can be reached by control flow, through calls and returns.
pub fn useful_locations(facts: Facts, criterion: &Criterion) -> BitSet {
    let Facts { program, points_to, calls, .. } = facts;
    let mut useful = BitSet::new(program.locations.len());
    let mut work: Vec<LocationId> = criterion.edges.iter().map(|&edge| program.edges[edge].from).collect();
    while let Some(location) = work.pop() {
        if !useful.insert(location.0 as usize) {
            continue;
        }
        let function = program.locations[location].function;
        let body = program.functions[function].body.as_ref();
        if body.is_some_and(|body| body.entry == location) {
            work.extend(calls.sites(function).iter().map(|&site| program.edges[site].from));
        }
        for &id in program.entering(location) {
            work.push(program.edges[id].from);
            if let EdgeKind::Call(_) = program.edges[id].kind {
                let callees = points_to.callees(id).iter().chain(points_to.callbacks(id));
                work.extend(
                    callees.filter_map(|&f| program.functions[f].body.as_ref()).map(|body| body.exit),
                );
            }
        }
    }
    useful
}

/// Which functions surely return.
pub struct Terminations {
    may_stay: BitSet,
}

impl Terminations {
    pub fn new(facts: Facts) -> Self {
        let mut terminations = Self { may_stay: BitSet::new(facts.program.functions.len()) };
        let loops = facts.loops.loops.iter();
        loops.for_each(|item| {
            terminations.may_stay.insert(item.function.0 as usize);
        });
        for group in facts.calls.bottom_up() {
            for function in group {
                if facts.calls.is_recursive(function) || terminations.stops_inside(facts, function) {
                    terminations.may_stay.insert(function.0 as usize);
                }
            }
        }
        terminations
    }

    fn stops_inside(&self, facts: Facts, function: FunctionId) -> bool {
        let program = facts.program;
        let Some(body) = &program.functions[function].body else {
            return program.functions[function].library.is_some_and(|library| library.never_returns());
        };
        body.locations.clone().map(LocationId).any(|location| {
            location != body.exit && (program.leaving(location).is_empty() || self.may_stop(facts, location))
        })
    }

    /// The run may stop at the location although there is an edge out of it; loops aside.
    fn may_stop(&self, facts: Facts, location: LocationId) -> bool {
        let Facts { program, points_to, .. } = facts;
        let mut leaving = program.leaving_ids(location);
        let (Some(id), None) = (leaving.next(), leaving.next()) else { return false };
        match program.edges[id].kind {
            EdgeKind::Assume { .. } | EdgeKind::Approximate(_) | EdgeKind::Unsupported(_) => true,
            EdgeKind::Call(_) => {
                let mut callees = points_to.callees(id).iter().chain(points_to.callbacks(id));
                callees.any(|callee| self.may_stay.contains(callee.0 as usize))
            }
            _ => false,
        }
    }
}

/// Control dependence, function by function as it is asked for.
pub struct Control<'a> {
    facts: Facts<'a>,
    useful: BitSet,
    terminations: Terminations,
    functions: FxHashMap<FunctionId, Dependence>,
}

struct Dependence {
    flow: FlowGraph,
    /// From each node to those that decide whether control comes to it.
    deciding: Graph,
    post_dominators: Dominators,
}

impl<'a> Control<'a> {
    pub fn new(facts: Facts<'a>, useful: BitSet, terminations: Terminations) -> Self {
        Self { facts, useful, terminations, functions: FxHashMap::default() }
    }

    pub fn deciding(&mut self, location: LocationId) -> Vec<LocationId> {
        let program = self.facts.program;
        let function = program.locations[location].function;
        if !self.functions.contains_key(&function) {
            let Some(body) = &program.functions[function].body else { return Vec::new() };
            let dependence = self.dependence(body);
            self.functions.insert(function, dependence);
        }
        let Dependence { flow, deciding, .. } = &self.functions[&function];
        deciding.successors(flow.node(location)).iter().map(|&node| flow.location(node)).collect()
    }

    /// Where control comes next for sure, unless the run stops: `None` if there is no such location,
    /// or nothing has been asked about the function.
    pub fn join(&self, location: LocationId) -> Option<LocationId> {
        let function = self.facts.program.locations[location].function;
        let Dependence { flow, post_dominators, .. } = self.functions.get(&function)?;
        let end = flow.graph.node_count() as u32;
        let join = post_dominators.immediate(flow.node(location)).filter(|&join| join != end)?;
        Some(flow.location(join))
    }

    fn dependence(&self, body: &Body) -> Dependence {
        let (flow, graph, ends) = self.graph_with_ends(body);
        let post_dominators = Dominators::post(&graph, &ends);
        let mut is_end = BitSet::new(graph.node_count());
        ends.iter().for_each(|&end| {
            is_end.insert(end as usize);
        });
        let mut pairs = Vec::new();
        for branch in graph.nodes() {
            let ways = graph.successors(branch).len() + usize::from(is_end.contains(branch as usize));
            if ways < 2 {
                continue;
            }
            let join = post_dominators.immediate(branch);
            for &successor in graph.successors(branch) {
                let mut node = Some(successor).filter(|_| post_dominators.is_reached(successor));
                while let Some(decided) = node.filter(|&node| Some(node) != join) {
                    pairs.push((decided, branch));
                    node = post_dominators.immediate(decided);
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let deciding = Graph::new(graph.node_count() + 1, pairs.iter().copied());
        Dependence { flow, deciding, post_dominators }
    }

    /// Control flow up to where the criterion cannot be reached any more, and where a run may stop.
    fn graph_with_ends(&self, body: &Body) -> (FlowGraph, Graph, Vec<u32>) {
        let flow = FlowGraph::new(self.facts.program, body);
        let useful = |node: u32| self.useful.contains(flow.location(node).0 as usize);
        let edges: Vec<(u32, u32)> = flow.graph.edges().filter(|&(from, _)| useful(from)).collect();
        let graph = Graph::new(flow.graph.node_count(), edges.iter().copied());
        let ends = graph
            .nodes()
            .filter(|&node| {
                let location = flow.location(node);
                graph.successors(node).is_empty()
                    || self.facts.loops.headed_by(location).is_some()
                    || self.terminations.may_stop(self.facts, location)
            })
            .collect();
        (flow, graph, ends)
    }
}
