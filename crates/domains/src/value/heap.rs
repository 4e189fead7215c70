//! The first few objects that each call of `malloc` makes.
//!
//! A call whose size is constant gets room for a few objects, and a slot that counts how many it has made on
//! the path. What it makes after those is not tracked: its address is only known not to be null, and writing
//! through it forgets what all objects of the call hold. So there are finitely many states however long a
//! program goes on allocating.

use cfa::library::Library;
use cfa::{Callee, EdgeId, EdgeKind, ExprKind, PlaceId, Program};
use sema::types::{Type, TypeId};

/// What a call allocates.
pub struct Allocation {
    pub edge: EdgeId,
    pub size: u64,
    /// The type of its elements, where the program says.
    pub element: Option<TypeId>,
    pub zeroed: bool,
}

/// Objects of each call that are tracked.
pub const INSTANCES: u64 = 3;
/// Larger ones are not.
const MAX_SIZE: u64 = 4096;

/// The calls whose objects can be tracked.
pub fn allocations(program: &Program) -> Vec<Allocation> {
    program.edges.ids().filter_map(|edge| allocation(program, edge)).collect()
}

fn allocation(program: &Program, edge: EdgeId) -> Option<Allocation> {
    let EdgeKind::Call(call) = program.edges[edge].kind else { return None };
    let call = program.calls[call];
    let Callee::Direct(function) = call.callee else { return None };
    let arguments = &program.expr_lists[call.arguments];
    let constant = |index: usize| match program.exprs[*arguments.get(index)?].kind {
        ExprKind::Int(value) => Some(value),
        _ => None,
    };
    let (size, zeroed) = match program.functions[function].library? {
        Library::Malloc => (constant(0)?, false),
        Library::Calloc => (constant(0)?.checked_mul(constant(1)?)?, true),
        _ => return None,
    };
    let element = element_type(program, edge, call.result?);
    (size > 0 && size <= MAX_SIZE).then_some(Allocation { edge, size, element, zeroed })
}

/// What the result points to, or is made to point to later in the function.
fn element_type(program: &Program, edge: EdgeId, result: PlaceId) -> Option<TypeId> {
    let complete = |ty: TypeId| match *program.types.get(ty) {
        Type::Void => None,
        _ => program.types.size_of(ty).filter(|&size| size > 0).map(|_| ty),
    };
    let pointee = |ty: TypeId| program.types.pointee(ty).and_then(complete);
    if let Some(ty) = pointee(program.places[result].ty) {
        return Some(ty);
    }
    let variable = program.as_variable(result)?;
    let function = program.locations[program.edges[edge].from].function;
    let body = program.functions[function].body.as_ref()?;
    body.edges.clone().find_map(|number| {
        let EdgeKind::Assign { value, .. } = program.edges[EdgeId(number)].kind else { return None };
        let ExprKind::Cast(operand) = program.exprs[value].kind else { return None };
        let ExprKind::Load(place) = program.exprs[operand].kind else { return None };
        (program.as_variable(place) == Some(variable)).then(|| pointee(program.exprs[value].ty))?
    })
}
