//! What each loop can change.

use cfa::callgraph::CallGraph;
use cfa::library::Library;
use cfa::loops::Loops;
use cfa::pointsto::{Object, ObjectKind, Offset, PointsTo};
use cfa::{Callee, EdgeId, EdgeKind, FunctionId, PlaceId, Program, VariableId};
use encode::{Changes, Extent};
use sema::types::{Type, TypeId, Types};
use std::collections::{BTreeMap, BTreeSet};

/// What a set of edges changes, called functions not counted.
#[derive(Clone, Default)]
struct Effects {
    variables: BTreeSet<VariableId>,
    objects: BTreeMap<ObjectKind, Extent>,
    allocates: BTreeSet<ObjectKind>,
    ends: BTreeSet<ObjectKind>,
    calls: BTreeSet<FunctionId>,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        self.variables.extend(&other.variables);
        for (&kind, extent) in &other.objects {
            self.add_object(kind, extent);
        }
        self.allocates.extend(&other.allocates);
        self.ends.extend(&other.ends);
    }

    fn add_object(&mut self, kind: ObjectKind, extent: &Extent) {
        let known = self.objects.entry(kind).or_insert_with(|| extent.clone());
        match (known, extent) {
            (Extent::Parts(ty, known), Extent::Parts(other, parts)) if ty == other => known.extend(parts),
            (known, _) => *known = Extent::All,
        }
    }
}

/// The changes of every function that has loops, in itself or in functions that it calls: of what is there
/// when it has returned.
pub fn changes_of_functions(
    program: &Program,
    loops: &Loops,
    points_to: &PointsTo,
    calls: &CallGraph,
) -> Vec<Option<Changes>> {
    let analysis = Analysis { program, points_to };
    let of_functions: Vec<Effects> = program.functions.ids().map(|f| analysis.function(f)).collect();
    let with_loops: BTreeSet<u32> = loops.loops.iter().map(|info| info.function.0).collect();
    let is_outer = |variable: &VariableId| program.variables[*variable].kind.function().is_none();
    let changes = |function: FunctionId| {
        let called = calls.graph().reachable_from([function.0]);
        called.iter().any(|called| with_loops.contains(&(called as u32))).then(|| {
            let mut effects = Effects::default();
            called.iter().for_each(|called| effects.add(&of_functions[called]));
            effects.variables.retain(is_outer);
            analysis.changes(&effects)
        })
    };
    program.functions.ids().map(changes).collect()
}

/// The changes of every loop, functions that it calls included.
pub fn changes_of_loops(
    program: &Program,
    loops: &Loops,
    points_to: &PointsTo,
    calls: &CallGraph,
) -> Vec<Changes> {
    let analysis = Analysis { program, points_to };
    let of_functions: Vec<Effects> = program.functions.ids().map(|f| analysis.function(f)).collect();
    let mut result = Vec::new();
    for (id, _) in loops.loops.enumerated() {
        let locations = loops.body(id).iter();
        let edges = locations.flat_map(|&location| program.leaving_ids(location));
        let inside =
            edges.filter(|&edge| loops.contains(id, program.edges[edge].to) || is_call(program, edge));
        let mut effects = analysis.edges(inside);
        let called = calls.graph().reachable_from(effects.calls.iter().map(|function| function.0));
        for function in called.iter() {
            effects.add(&of_functions[function]);
        }
        result.push(analysis.changes(&effects));
    }
    result
}

fn is_call(program: &Program, edge: EdgeId) -> bool {
    matches!(program.edges[edge].kind, EdgeKind::Call(_))
}

struct Analysis<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
}

impl Analysis<'_> {
    fn function(&self, function: FunctionId) -> Effects {
        match &self.program.functions[function].body {
            Some(body) => self.edges(body.edges.clone().map(EdgeId)),
            None => Effects::default(),
        }
    }

    fn edges(&self, edges: impl Iterator<Item = EdgeId>) -> Effects {
        let mut effects = Effects::default();
        for edge in edges {
            self.edge(edge, &mut effects);
        }
        effects
    }

    fn edge(&self, edge: EdgeId, effects: &mut Effects) {
        match self.program.edges[edge].kind {
            EdgeKind::Assign { target, .. } | EdgeKind::Zero { target } | EdgeKind::Input { target, .. } => {
                self.write(target, effects);
            }
            EdgeKind::VaArg { target, list } | EdgeKind::VaCopy { target, list } => {
                self.write(target, effects);
                self.write(list, effects);
            }
            EdgeKind::VaStart { list } | EdgeKind::VaEnd { list } => self.write(list, effects),
            EdgeKind::Declare { variable } => {
                self.write_variable(variable, effects);
                effects.ends.insert(ObjectKind::Variable(variable));
            }
            EdgeKind::EndOfLife { variable } => {
                effects.ends.insert(ObjectKind::Variable(variable));
            }
            EdgeKind::DeclareVla { variable, .. } => {
                self.write_variable(variable, effects);
                effects.allocates.insert(ObjectKind::Variable(variable));
                effects.ends.insert(ObjectKind::Variable(variable));
            }
            EdgeKind::Call(call) => {
                let call = self.program.calls[call];
                if let Some(result) = call.result {
                    self.write(result, effects);
                }
                match call.callee {
                    Callee::Direct(function) => self.call(edge, function, effects),
                    Callee::Indirect(_) => {
                        for &function in self.points_to.callees(edge) {
                            self.call(edge, function, effects);
                        }
                    }
                }
            }
            EdgeKind::Skip
            | EdgeKind::Approximate(_)
            | EdgeKind::Assume { .. }
            | EdgeKind::Return { .. }
            | EdgeKind::Unsupported(_) => {}
        }
    }

    fn call(&self, edge: EdgeId, function: FunctionId, effects: &mut Effects) {
        let info = &self.program.functions[function];
        if info.body.is_some() {
            effects.calls.insert(function);
            return;
        }
        use Library::*;
        if let Some(Malloc | Calloc | Realloc | Alloca | BuiltinAlloca | Strdup | Strndup) = info.library {
            effects.allocates.insert(ObjectKind::Heap(edge));
        }
        if let Some(Free | Realloc) = info.library {
            effects.ends.extend(self.pointed_to(edge));
        }
        if let Some(Alloca | BuiltinAlloca) = info.library {
            effects.ends.insert(ObjectKind::Heap(edge));
        }
        if info.library.is_some() {
            self.write_arguments(edge, effects);
        }
    }

    /// A function of the C library may write to whatever it is given a pointer to.
    fn write_arguments(&self, edge: EdgeId, effects: &mut Effects) {
        for kind in self.pointed_to(edge) {
            effects.add_object(kind, &Extent::All);
        }
    }

    /// What the arguments of a call point to.
    fn pointed_to(&self, edge: EdgeId) -> Vec<ObjectKind> {
        let EdgeKind::Call(call) = self.program.edges[edge].kind else { return Vec::new() };
        let arguments = self.program.expr_lists[self.program.calls[call].arguments].iter();
        let targets = arguments.flat_map(|&argument| self.points_to.targets(self.program, argument));
        targets.map(|(object, _)| self.points_to.object(object).kind).collect()
    }

    fn write(&self, place: PlaceId, effects: &mut Effects) {
        match self.program.as_variable(place) {
            Some(variable) => self.write_variable(variable, effects),
            None => {
                let ty = self.program.places[place].ty;
                for (object, offset) in self.points_to.places(self.program, place) {
                    let object = self.points_to.object(object);
                    effects.add_object(object.kind, &self.extent(object, offset, ty));
                }
            }
        }
    }

    /// What a write of a value of that type changes of an object.
    fn extent(&self, object: &Object, offset: Offset, ty: TypeId) -> Extent {
        let types = &self.program.types;
        match (object.ty, offset, types.size_of(ty)) {
            (Some(whole), Offset::At(offset), Some(size))
                if offset >= 0 && is_exact(types, whole, offset as u64, size) =>
            {
                Extent::Parts(whole.unqualified(), BTreeSet::from([(offset as u64, size)]))
            }
            _ => Extent::All,
        }
    }

    fn write_variable(&self, variable: VariableId, effects: &mut Effects) {
        effects.variables.insert(variable);
    }

    fn changes(&self, effects: &Effects) -> Changes {
        let plain = |&variable: &VariableId| {
            let info = &self.program.variables[variable];
            !info.address_taken && self.program.types.is_scalar(info.ty)
        };
        let (plain, objects): (Vec<VariableId>, Vec<VariableId>) =
            effects.variables.iter().copied().partition(plain);
        let mut whole = effects.objects.clone();
        whole.extend(objects.into_iter().map(|variable| (ObjectKind::Variable(variable), Extent::All)));
        let allocates = effects.allocates.iter().copied().collect();
        let ends = effects.ends.iter().copied().collect();
        Changes { plain, objects: whole.into_iter().collect(), allocates, ends }
    }
}

/// Whether bytes of a type are a member, or a part of one, that is no array, and is in no array and no union: then the
/// folded offset is the real one.
fn is_exact(types: &Types, whole: TypeId, offset: u64, size: u64) -> bool {
    let is_whole = offset == 0 && types.size_of(whole) == Some(size);
    match *types.get(whole) {
        Type::Array { .. } => false,
        _ if is_whole => true,
        Type::Record(record) if !types.records[record].is_union => {
            let around = types.fields(whole).iter().find(|field| {
                let end = field.offset + types.size_of(field.ty).unwrap_or(0);
                field.bits.is_none() && field.offset <= offset && offset + size <= end
            });
            around.is_some_and(|field| is_exact(types, field.ty, offset - field.offset, size))
        }
        _ => false,
    }
}
