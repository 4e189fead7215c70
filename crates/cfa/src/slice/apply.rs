//! Turns a program into its slice.
//!
//! What is not relevant is left out: single edges become skips and are passed over, branches become
//! a skip to where their arms meet, and a run ends where the criterion cannot be reached any more.
//! Locations and edges are numbered anew; the [`Origin`] says what they were.

use super::Slice;
use crate::program::*;
use base::{Arena, ListPool, Span};
use rustc_hash::FxHashMap;

/// What the locations and edges of a slice were in the program.
#[derive(Clone, Default, Debug)]
pub struct Origin {
    pub locations: Vec<LocationId>,
    pub edges: Vec<EdgeId>,
}

/// The argument can be replaced by zero if nobody looks at it.
pub fn can_leave_out(program: &Program, argument: ExprId) -> bool {
    let ty = program.exprs[argument].ty;
    program.types.is_integer(ty) || program.types.is_pointer(ty)
}

/// Makes the program its slice, in place.
pub fn apply(program: &mut Program, slice: &Slice) -> Origin {
    let mut rewriter = Rewriter {
        slice,
        origin: Origin::default(),
        locations: Arena::new(),
        edges: Arena::new(),
        edge_lists: ListPool::default(),
        renamed: vec![None; program.locations.len()],
        passed: FxHashMap::default(),
    };
    let functions: Vec<FunctionId> = program.defined_functions().map(|(id, ..)| id).collect();
    for function in functions {
        rewriter.function(program, function);
    }
    for label in &mut program.labels {
        let function = program.locations[*label].function;
        let exit = program.functions[function].body.as_ref().map(|body| body.exit);
        *label = rewriter.renamed[label.0 as usize].or(exit).unwrap_or(*label);
    }
    program.locations = rewriter.locations;
    program.edges = rewriter.edges;
    program.edge_lists = rewriter.edge_lists;
    rewriter.origin
}

struct Rewriter<'s> {
    slice: &'s Slice,
    origin: Origin,
    locations: Arena<LocationId, Location>,
    edges: Arena<EdgeId, Edge>,
    edge_lists: ListPool<EdgeId>,
    /// The new ids of the locations that are kept.
    renamed: Vec<Option<LocationId>>,
    /// Where control really goes from locations with nothing but a skip.
    passed: FxHashMap<LocationId, LocationId>,
}

/// An edge between old locations.
struct Kept {
    origin: EdgeId,
    to: LocationId,
    kind: EdgeKind,
}

impl Rewriter<'_> {
    fn function(&mut self, program: &mut Program, function: FunctionId) {
        let Some(mut body) = program.functions[function].body.take() else { return };
        body.entry = self.pass_over(program, &body, body.entry);
        let reached = self.reached(program, &body);
        let first_location = self.locations.len() as u32;
        let first_edge = self.edges.len() as u32;
        for (index, (old, _)) in reached.iter().enumerate() {
            self.renamed[old.0 as usize] = Some(LocationId(first_location + index as u32));
            self.origin.locations.push(*old);
        }
        let mut into: Vec<Vec<EdgeId>> = vec![Vec::new(); reached.len()];
        for (old, leaving) in reached {
            let own_first = self.edges.next_id();
            let count = leaving.len() as u32;
            let from = self.locations.next_id();
            for Kept { origin, to, kind } in leaving {
                let to = self.renamed[to.0 as usize].unwrap_or(from);
                let kind = self.trimmed(program, origin, kind);
                let id = self.edges.push(Edge { from, to, kind, span: program.edges[origin].span });
                self.origin.edges.push(origin);
                into[(to.0 - first_location) as usize].push(id);
            }
            let entering = base::Range::EMPTY;
            let function = program.locations[old].function;
            self.locations.push(Location { function, first_edge: own_first, edge_count: count, entering });
        }
        for (index, list) in into.into_iter().enumerate() {
            let entering = self.edge_lists.push(list);
            self.locations[LocationId(first_location + index as u32)].entering = entering;
        }
        body.locations = first_location..self.locations.len() as u32;
        body.edges = first_edge..self.edges.len() as u32;
        body.entry = self.renamed[body.entry.0 as usize].unwrap_or(body.entry);
        body.exit = self.renamed[body.exit.0 as usize].unwrap_or(body.exit);
        program.functions[function].body = Some(body);
    }

    /// The old locations that the slice of a function comes to, ascending, with their edges out. The
    /// exit is always among them.
    fn reached(&mut self, program: &Program, body: &Body) -> Vec<(LocationId, Vec<Kept>)> {
        let first = body.locations.start;
        let mut seen = vec![false; body.locations.len()];
        let mut result = Vec::new();
        let mut work = vec![body.entry, body.exit];
        while let Some(location) = work.pop() {
            if std::mem::replace(&mut seen[(location.0 - first) as usize], true) {
                continue;
            }
            let mut leaving = self.leaving(program, body, location);
            for kept in &mut leaving {
                kept.to = self.pass_over(program, body, kept.to);
            }
            work.extend(leaving.iter().map(|kept| kept.to));
            result.push((location, leaving));
        }
        result.sort_unstable_by_key(|&(location, _)| location);
        result
    }

    fn leaving(&self, program: &Program, body: &Body, location: LocationId) -> Vec<Kept> {
        let ids: Vec<EdgeId> = program.leaving_ids(location).collect();
        let keep = |id: EdgeId| Kept { origin: id, to: program.edges[id].to, kind: program.edges[id].kind };
        if ids.iter().any(|&id| self.slice.is_relevant(id)) {
            return ids.into_iter().map(keep).collect();
        }
        if !self.slice.is_useful(location) {
            return Vec::new();
        }
        match ids[..] {
            [id] => {
                let kind = match program.edges[id].kind {
                    EdgeKind::Return { .. } => EdgeKind::Return { value: None },
                    _ => EdgeKind::Skip,
                };
                vec![Kept { kind, ..keep(id) }]
            }
            [id, ..] => {
                let skip =
                    |to| if to == body.exit { EdgeKind::Return { value: None } } else { EdgeKind::Skip };
                let join = self.slice.joins.get(&location);
                join.map(|&to| Kept { origin: id, to, kind: skip(to) }).into_iter().collect()
            }
            [] => Vec::new(),
        }
    }

    /// Goes on along skips until something happens. A cycle of skips becomes one location.
    fn pass_over(&mut self, program: &Program, body: &Body, start: LocationId) -> LocationId {
        let mut path = Vec::new();
        let mut location = start;
        let end = loop {
            if let Some(known) = self.passed.get(&location) {
                break *known;
            }
            match self.leaving(program, body, location)[..] {
                [Kept { to, kind: EdgeKind::Skip, .. }] => {
                    // Marks the path: who comes back to it has found a cycle.
                    self.passed.insert(location, location);
                    path.push(location);
                    location = to;
                }
                _ => break location,
            }
        };
        for passed in path {
            self.passed.insert(passed, end);
        }
        end
    }

    /// A call without the parts that are not relevant.
    fn trimmed(&self, program: &mut Program, origin: EdgeId, kind: EdgeKind) -> EdgeKind {
        let EdgeKind::Call(call) = kind else { return kind };
        let Call { callee, arguments, result } = program.calls[call];
        let result = result.filter(|_| self.slice.results.contains(origin.0 as usize));
        let mut kept = program.expr_lists[arguments].to_vec();
        for (index, argument) in kept.iter_mut().enumerate() {
            let relevant = self.slice.arguments.contains(&(origin, index as u32));
            if !relevant && can_leave_out(program, *argument) {
                let ty = program.exprs[*argument].ty;
                *argument = program.exprs.push(Expr { kind: ExprKind::Int(0), ty, span: Span::NONE });
            }
        }
        let arguments = program.expr_lists.push(kept);
        EdgeKind::Call(program.calls.push(Call { callee, arguments, result }))
    }
}
