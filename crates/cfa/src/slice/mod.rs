//! Property-directed slicing: what of a program can have a say in whether some edges are taken.
//!
//! The cone of influence of the criterion: an edge is relevant if it
//! - is in the criterion, or cannot be modelled and so may do anything;
//! - decides, as a branch, an assumption or a call that may not come back, whether control comes to
//!   a relevant edge ([`control`]);
//! - may write a cell that a relevant edge may read;
//! - calls a function with a relevant edge in it, or returns a value that is relevant.
//!
//! Data dependence does not look at the order of statements; it goes by the cells of
//! [`crate::pointsto`]. Locations from which the criterion cannot be reached count as ends.
//!
//! **Loops that may not end** before the criterion make it unreachable, and so does anything else
//! that stops a run. They are kept: control dependence is the weak one of Podgurski and Clarke ("A
//! formal model of program dependences", 1990), in which what follows a loop depends on the
//! conditions under which it is left. So the slice reaches the criterion if and only if the program
//! does; a proof and a counterexample of the one are good for the other. The price is that loops stay
//! whose results nobody needs. What undefined behaviour of an irrelevant edge would do to the run is
//! not preserved; `replay` runs counterexamples on the program itself.

mod apply;
mod control;
mod data;
#[cfg(test)]
mod tests;

pub use apply::{Origin, apply};

use crate::callgraph::CallGraph;
use crate::graph::BitSet;
use crate::loops::Loops;
use crate::pointsto::{ObjectKind, PointsTo};
use crate::program::*;
use control::{Control, Terminations};
use data::Writers;
use rustc_hash::{FxHashMap, FxHashSet};

/// The edges whose reachability is asked for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Criterion {
    pub edges: Vec<EdgeId>,
}

impl Criterion {
    pub fn edges(edges: impl IntoIterator<Item = EdgeId>) -> Self {
        Self { edges: edges.into_iter().collect() }
    }

    /// All calls of a function, also through pointers.
    pub fn calls_to(calls: &CallGraph, function: FunctionId) -> Self {
        Self::edges(calls.sites(function).iter().copied())
    }
}

/// What slicing needs to know about a program.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    pub program: &'a Program,
    pub points_to: &'a PointsTo,
    pub calls: &'a CallGraph,
    pub loops: &'a Loops,
}

/// The relevant part of a program.
#[derive(Clone, Debug)]
pub struct Slice {
    edges: BitSet,
    /// Calls whose result is relevant.
    results: BitSet,
    /// Relevant arguments of calls of functions that have a body.
    arguments: FxHashSet<(EdgeId, u32)>,
    /// Locations from which the criterion can be reached.
    useful: BitSet,
    /// Where control goes on behind a branch that is not relevant.
    joins: FxHashMap<LocationId, LocationId>,
}

impl Slice {
    pub fn new(facts: Facts, criterion: &Criterion) -> Self {
        let mut slicer = Slicer::new(facts, criterion);
        let unsupported = facts.program.edges.enumerated().filter(|(_, edge)| is_unsupported(edge));
        let unsupported = unsupported.filter(|(_, edge)| slicer.slice.useful.contains(edge.from.0 as usize));
        let roots: Vec<EdgeId> =
            unsupported.map(|(id, _)| id).chain(criterion.edges.iter().copied()).collect();
        roots.into_iter().for_each(|edge| slicer.edge(edge));
        slicer.run();
        slicer.find_joins();
        slicer.slice
    }

    pub fn is_relevant(&self, edge: EdgeId) -> bool {
        self.edges.contains(edge.0 as usize)
    }

    pub fn relevant(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.edges.iter().map(|edge| EdgeId(edge as u32))
    }

    pub fn count(&self) -> usize {
        self.edges.count()
    }

    /// The criterion can be reached from the location as far as control flow tells.
    pub fn is_useful(&self, location: LocationId) -> bool {
        self.useful.contains(location.0 as usize)
    }
}

fn is_unsupported(edge: &Edge) -> bool {
    matches!(edge.kind, EdgeKind::Unsupported(_) | EdgeKind::Approximate(_))
}

enum Work {
    Edge(EdgeId),
    Cell(u32),
    /// Whether control comes here is relevant.
    Location(LocationId),
}

struct Slicer<'a> {
    facts: Facts<'a>,
    slice: Slice,
    control: Control<'a>,
    writers: Writers,
    cells: BitSet,
    locations: BitSet,
    functions: BitSet,
    returned: BitSet,
    variadic: bool,
    work: Vec<Work>,
}

impl<'a> Slicer<'a> {
    fn new(facts: Facts<'a>, criterion: &Criterion) -> Self {
        let program = facts.program;
        let useful = control::useful_locations(facts, criterion);
        let slice = Slice {
            edges: BitSet::new(program.edges.len()),
            results: BitSet::new(program.edges.len()),
            arguments: FxHashSet::default(),
            useful: useful.clone(),
            joins: FxHashMap::default(),
        };
        Self {
            facts,
            slice,
            control: Control::new(facts, useful, Terminations::new(facts)),
            writers: Writers::new(facts),
            cells: BitSet::new(facts.points_to.cell_bound()),
            locations: BitSet::new(program.locations.len()),
            functions: BitSet::new(program.functions.len()),
            returned: BitSet::new(program.functions.len()),
            variadic: false,
            work: Vec::new(),
        }
    }

    fn run(&mut self) {
        while let Some(work) = self.work.pop() {
            match work {
                Work::Edge(edge) => self.process_edge(edge),
                Work::Cell(cell) => self.process_cell(cell),
                Work::Location(location) => self.process_location(location),
            }
        }
    }

    fn edge(&mut self, edge: EdgeId) {
        if self.slice.edges.insert(edge.0 as usize) {
            self.work.push(Work::Edge(edge));
        }
    }

    fn location(&mut self, location: LocationId) {
        if self.locations.insert(location.0 as usize) {
            self.work.push(Work::Location(location));
        }
    }

    fn cells_read(&mut self, read: impl FnOnce(crate::pointsto::Visit)) {
        let (cells, work) = (&mut self.cells, &mut self.work);
        read(&mut |_, range| {
            for cell in range {
                if cells.insert(cell as usize) {
                    work.push(Work::Cell(cell));
                }
            }
        });
    }

    fn process_edge(&mut self, id: EdgeId) {
        let Facts { program, points_to, .. } = self.facts;
        let edge = &program.edges[id];
        self.location(edge.from);
        self.function(program.locations[edge.from].function);
        match edge.kind {
            EdgeKind::Call(call) => self.process_call(id, &program.calls[call]),
            EdgeKind::VaArg { .. } => {
                self.variadic_arguments();
                self.cells_read(|visit| points_to.read_cells(program, id, visit));
            }
            _ => self.cells_read(|visit| points_to.read_cells(program, id, visit)),
        }
    }

    /// A call that has to be made: what is needed of it beyond that shows elsewhere, except where
    /// the callee is a library function, or an argument could not be left out.
    fn process_call(&mut self, id: EdgeId, call: &Call) {
        let Facts { program, points_to, .. } = self.facts;
        if let Callee::Indirect(callee) = call.callee {
            self.cells_read(|visit| points_to.expr_cells(program, callee, visit));
        }
        let mut callees = points_to.callees(id).iter();
        let is_library = callees.any(|&callee| program.functions[callee].library.is_some());
        if is_library {
            self.cells_read(|visit| points_to.read_cells(program, id, visit));
        }
        for index in 0..program.expr_lists[call.arguments].len() as u32 {
            let argument = program.expr_lists[call.arguments][index as usize];
            if is_library || !apply::can_leave_out(program, argument) {
                self.argument(id, index);
            }
        }
    }

    fn argument(&mut self, edge: EdgeId, index: u32) {
        let Facts { program, points_to, .. } = self.facts;
        let EdgeKind::Call(call) = program.edges[edge].kind else { return };
        let arguments = &program.expr_lists[program.calls[call].arguments];
        let Some(&argument) = arguments.get(index as usize) else { return };
        if self.slice.arguments.insert((edge, index)) {
            self.cells_read(|visit| points_to.expr_cells(program, argument, visit));
        }
    }

    /// Something in the function is relevant: so are its calls.
    fn function(&mut self, function: FunctionId) {
        if self.functions.insert(function.0 as usize) {
            let sites = self.facts.calls.sites(function);
            sites.iter().for_each(|&site| self.edge(site));
        }
    }

    fn process_cell(&mut self, cell: u32) {
        for edge in self.writers.of_cell(cell) {
            self.edge(edge);
            self.result(edge, cell);
        }
        let Some(object) = self.writers.object_of(cell) else { return };
        match self.facts.points_to.object(object).kind {
            ObjectKind::Variable(variable) => self.parameter(variable),
            ObjectKind::Variadic(_) => self.variadic_arguments(),
            _ => {}
        }
    }

    /// If a call writes the cell as its result, what the callee returns is relevant.
    fn result(&mut self, edge: EdgeId, cell: u32) {
        let Facts { program, points_to, .. } = self.facts;
        let EdgeKind::Call(call) = program.edges[edge].kind else { return };
        let Some(result) = program.calls[call].result else { return };
        let mut writes = false;
        points_to.place_cells(program, result, &mut |_, cells| writes |= cells.contains(&cell));
        if !writes || !self.slice.results.insert(edge.0 as usize) {
            return;
        }
        self.cells_read(|visit| points_to.address_cells(program, result, visit));
        for &callee in points_to.callees(edge) {
            self.returned_value(callee);
        }
    }

    fn returned_value(&mut self, function: FunctionId) {
        let program = self.facts.program;
        let Some(body) = &program.functions[function].body else { return };
        if self.returned.insert(function.0 as usize) {
            let edges = body.edges.clone().map(EdgeId);
            let returns = edges.filter(|&id| matches!(program.edges[id].kind, EdgeKind::Return { .. }));
            returns.for_each(|edge| self.edge(edge));
        }
    }

    /// A relevant parameter: the arguments for it, wherever the function is called.
    fn parameter(&mut self, variable: VariableId) {
        let Facts { program, points_to, calls, .. } = self.facts;
        let VariableKind::Parameter(function) = program.variables[variable].kind else { return };
        let Some(body) = &program.functions[function].body else { return };
        let Some(index) = body.parameters.iter().position(|&parameter| parameter == variable) else { return };
        for &site in calls.sites(function) {
            self.edge(site);
            self.argument(site, index as u32);
            if points_to.callbacks(site).contains(&function) {
                self.cells_read(|visit| points_to.read_cells(program, site, visit));
            }
        }
    }

    /// Unnamed arguments are read somewhere: they are relevant everywhere.
    fn variadic_arguments(&mut self) {
        if std::mem::replace(&mut self.variadic, true) {
            return;
        }
        let Facts { program, calls, .. } = self.facts;
        for (function, _, body) in program.defined_functions() {
            for &site in calls.sites(function) {
                let EdgeKind::Call(call) = program.edges[site].kind else { continue };
                let count = program.expr_lists[program.calls[call].arguments].len();
                for index in body.parameters.len()..count {
                    self.edge(site);
                    self.argument(site, index as u32);
                }
            }
        }
    }

    fn process_location(&mut self, location: LocationId) {
        let program = self.facts.program;
        for branch in self.control.deciding(location) {
            self.location(branch);
            for id in program.leaving_ids(branch) {
                match program.edges[id].kind {
                    EdgeKind::Assume { .. } => self.edge(id),
                    EdgeKind::Call(_) => {
                        self.edge(id);
                        self.must_return(id);
                    }
                    _ => {}
                }
            }
        }
    }

    fn find_joins(&mut self) {
        let program = self.facts.program;
        for location in program.locations.ids().filter(|&location| program.leaving(location).len() > 1) {
            let mut leaving = program.leaving_ids(location);
            if leaving.any(|edge| self.slice.is_relevant(edge)) {
                continue;
            }
            if let Some(join) = self.control.join(location) {
                self.slice.joins.insert(location, join);
            }
        }
    }

    /// Whether the callees come back is relevant.
    fn must_return(&mut self, edge: EdgeId) {
        let Facts { program, points_to, .. } = self.facts;
        for &callee in points_to.callees(edge).iter().chain(points_to.callbacks(edge)) {
            if let Some(body) = &program.functions[callee].body {
                self.location(body.exit);
            }
        }
    }
}
