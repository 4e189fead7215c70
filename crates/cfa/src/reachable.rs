//! What a program can do without: functions that nothing calls, globals that nothing mentions.
//!
//! The entry function initialises all globals. That alone does not make a global needed; but the
//! initialiser of one that is needed may mention others.

use crate::callgraph::CallGraph;
use crate::graph::BitSet;
use crate::program::*;
use crate::usage::{self, Access};

pub struct Reachable {
    functions: BitSet,
    variables: BitSet,
}

impl Reachable {
    pub fn new(program: &Program, calls: &CallGraph) -> Self {
        let mut functions = BitSet::new(program.functions.len());
        let mut search = Search::new(program);
        for (function, _, body) in program.defined_functions().filter(|(f, ..)| calls.is_reachable(*f)) {
            functions.insert(function.0 as usize);
            let is_entry = function == program.entry;
            for edge in body.edges.clone().map(EdgeId) {
                match initialised(program, edge).filter(|_| is_entry) {
                    Some(global) => search.initialisers.push((global, edge)),
                    None => search.mention(edge),
                }
            }
        }
        search.close();
        Self { functions, variables: search.used }
    }

    /// The function has a body that can run.
    pub fn function(&self, function: FunctionId) -> bool {
        self.functions.contains(function.0 as usize)
    }

    /// Some edge that can run mentions the variable, other than to initialise it.
    pub fn variable(&self, variable: VariableId) -> bool {
        self.variables.contains(variable.0 as usize)
    }

    /// The edge can run, and does more than to initialise what nothing mentions.
    pub fn edge(&self, program: &Program, edge: EdgeId) -> bool {
        let function = program.locations[program.edges[edge].from].function;
        self.function(function)
            && (function != program.entry
                || initialised(program, edge).is_none_or(|global| self.variable(global)))
    }
}

/// The global that an edge writes, if that is all it does.
fn initialised(program: &Program, edge: EdgeId) -> Option<VariableId> {
    let kind = &program.edges[edge].kind;
    if matches!(kind, EdgeKind::Call(_)) {
        return None;
    }
    match program.places[usage::written(program, kind)?].base {
        PlaceBase::Variable(variable) => {
            Some(variable).filter(|&variable| program.variables[variable].kind.is_global())
        }
        _ => None,
    }
}

struct Search<'p> {
    program: &'p Program,
    used: BitSet,
    found: Vec<VariableId>,
    initialisers: Vec<(VariableId, EdgeId)>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program) -> Self {
        let used = BitSet::new(program.variables.len());
        Self { program, used, found: Vec::new(), initialisers: Vec::new() }
    }

    fn mention(&mut self, edge: EdgeId) {
        usage::accesses(self.program, &self.program.edges[edge].kind, &mut |access| {
            let variable = match access {
                Access::Birth(variable) => Some(variable),
                Access::Read(place) | Access::Write(place) | Access::Address(place) => {
                    match self.program.places[place].base {
                        PlaceBase::Variable(variable) => Some(variable),
                        _ => None,
                    }
                }
            };
            if let Some(variable) = variable.filter(|variable| self.used.insert(variable.0 as usize)) {
                self.found.push(variable);
            }
        });
    }

    /// Adds what the initialisers of used globals mention, until that is all.
    fn close(&mut self) {
        self.initialisers.sort_unstable();
        let initialisers = std::mem::take(&mut self.initialisers);
        while let Some(variable) = self.found.pop() {
            let start = initialisers.partition_point(|&(global, _)| global < variable);
            let own = initialisers[start..].iter().take_while(|&&(global, _)| global == variable);
            own.for_each(|&(_, edge)| self.mention(edge));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pointsto::PointsTo;
    use crate::testing::Builder;
    use sema::types::TypeId;

    #[test]
    fn initialisers_of_needed_globals_need_theirs() {
        let mut builder = Builder::new();
        let pointer = builder.program.types.pointer_to(TypeId::INT);
        let unused_function = builder.function("unused", &[], 1);
        let main = builder.function("main", &[], 2);
        let entry = builder.function("entry", &[], 4);
        let [needed, pointed] = ["a", "b"].map(|n| builder.variable(n, pointer, VariableKind::Global));
        let [other, alone] = ["c", "d"].map(|n| builder.variable(n, pointer, VariableKind::Global));
        for (index, (global, value)) in [(needed, pointed), (other, alone)].into_iter().enumerate() {
            let place = builder.place(value);
            let value = builder.address(place);
            let kind = builder.assign(global, value);
            builder.edge(entry, index as u32, index as u32 + 1, kind);
        }
        let call = builder.call(Callee::Direct(main), &[], None);
        builder.edge(entry, 2, 3, call);
        let read = builder.load(needed);
        builder.edge(main, 0, 1, EdgeKind::Return { value: Some(read) });
        let program = builder.finish(entry);

        let calls = CallGraph::new(&program, &PointsTo::compute(&program));
        let reachable = Reachable::new(&program, &calls);
        assert!(reachable.variable(needed) && reachable.variable(pointed));
        assert!(!reachable.variable(other) && !reachable.variable(alone));
        assert!(reachable.function(main) && !reachable.function(unused_function));
        assert_eq!(calls.sites(main).len(), 1);
        assert!(!calls.is_recursive(main));
        let order: Vec<Vec<FunctionId>> = calls.bottom_up().map(Iterator::collect).collect();
        let position = |f| order.iter().position(|group| group.contains(&f));
        assert!(position(main) < position(entry));
    }
}
