//! Locals that a path may use without passing their declaration, as a jump into a block does.
//!
//! They hold any value then. Where such a path meets others, that must not be taken for the value that the others have:
//! so these variables have contents from the start of their function.

use cfa::liveness::Liveness;
use cfa::usage::{Access, accesses};
use cfa::{Body, EdgeId, EdgeKind, FunctionId, LocationId, PlaceBase, Program, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// For each function, the local variables that may be used before they are declared; scalars that nothing points to
/// only if they may also be read before they are written.
pub(crate) fn jumped_over(program: &Program) -> FxHashMap<FunctionId, Rc<[VariableId]>> {
    let liveness = Liveness::new(program);
    let of = |body: &Body| {
        let plain = liveness.live(program, body.entry).filter(|variable| !body.parameters.contains(variable));
        let others = used_first(program, body, &liveness);
        plain.chain(others).collect::<Rc<[VariableId]>>()
    };
    let functions = program.defined_functions().map(|(id, _, body)| (id, of(body)));
    functions.filter(|(_, variables)| !variables.is_empty()).collect()
}

/// Locals that are no tracked scalars and that an edge mentions which can be reached without passing the declaration.
fn used_first(program: &Program, body: &Body, liveness: &Liveness) -> Vec<VariableId> {
    let mut uses: FxHashMap<VariableId, Vec<EdgeId>> = FxHashMap::default();
    let mut births: FxHashMap<VariableId, Vec<EdgeId>> = FxHashMap::default();
    for id in body.edges.clone().map(EdgeId) {
        accesses(program, &program.edges[id].kind, &mut |access| match access {
            Access::Birth(variable) => births.entry(variable).or_default().push(id),
            Access::Read(place) | Access::Write(place) | Access::Address(place) => {
                if let PlaceBase::Variable(variable) = program.places[place].base {
                    uses.entry(variable).or_default().push(id);
                }
            }
        });
    }
    let is_jumped_over = |&variable: &VariableId| match (uses.get(&variable), births.get(&variable)) {
        (Some(uses), Some(births)) => !liveness.is_tracked(variable) && avoids(program, body, uses, births),
        _ => false,
    };
    body.locals.iter().copied().filter(is_jumped_over).collect()
}

/// Whether a path from the function's entry to one of the uses passes none of the births.
fn avoids(program: &Program, body: &Body, uses: &[EdgeId], births: &[EdgeId]) -> bool {
    let mut open: Vec<LocationId> = uses.iter().map(|&edge| program.edges[edge].from).collect();
    let mut seen: FxHashSet<LocationId> = FxHashSet::default();
    while let Some(location) = open.pop() {
        if location == body.entry {
            return true;
        }
        if seen.insert(location) {
            let edges = program.entering(location).iter().filter(|edge| !births.contains(edge));
            open.extend(edges.map(|&edge| program.edges[edge].from));
        }
    }
    false
}

/// Whether a path comes back to the declaration of a local before the block is left that it is in, as a jump does. Then it
/// is the same object again.
pub(crate) fn is_declared_again(program: &Program, declaration: EdgeId, variable: VariableId) -> bool {
    let mut open = vec![program.edges[declaration].to];
    let mut seen: FxHashSet<LocationId> = FxHashSet::default();
    while let Some(location) = open.pop() {
        if seen.insert(location) {
            for edge in program.leaving_ids(location) {
                if edge == declaration {
                    return true;
                }
                let is_end = matches!(program.edges[edge].kind, EdgeKind::EndOfLife { variable: other } if other == variable);
                if !is_end {
                    open.push(program.edges[edge].to);
                }
            }
        }
    }
    false
}
