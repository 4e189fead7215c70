//! What an edge reads, writes, and takes the address of.
//!
//! Only what is written there in so many words: a write through a pointer is a [`Access::Write`] of
//! a place whose base is a dereference, and what a call does inside the callee is not looked at.
//! [`crate::pointsto`] says what such places can be. Expressions are at most
//! [`MAX_DEPTH`](crate::program::MAX_DEPTH) deep, so walking them recurses; nothing is allocated.

use crate::program::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// The place's value is used.
    Read(PlaceId),
    /// The place gets a new value, all of it or (a record's field, an element) a part of its base.
    Write(PlaceId),
    /// The place's address is used.
    Address(PlaceId),
    /// The variable is born, with any value.
    Birth(VariableId),
}

/// Calls `visit` for each access of the edge, reads before writes.
pub fn accesses(program: &Program, edge: &EdgeKind, visit: &mut dyn FnMut(Access)) {
    for_each_operand(program, edge, &mut |expr| expr_accesses(program, expr, visit));
    for_each_read_place(edge, &mut |place| {
        place_accesses(program, place, visit);
        visit(Access::Read(place));
    });
    if let Some(target) = written(program, edge) {
        place_accesses(program, target, visit);
        visit(Access::Write(target));
    }
    match *edge {
        EdgeKind::Declare { variable } | EdgeKind::DeclareVla { variable, .. } => {
            visit(Access::Birth(variable));
        }
        EdgeKind::VaStart { list } | EdgeKind::VaEnd { list } => {
            place_accesses(program, list, visit);
            visit(Access::Write(list));
        }
        EdgeKind::VaArg { list, .. } => visit(Access::Write(list)),
        _ => {}
    }
}

/// The expressions that an edge evaluates, in evaluation order.
pub fn for_each_operand(program: &Program, edge: &EdgeKind, visit: &mut dyn FnMut(ExprId)) {
    match *edge {
        EdgeKind::Assume { condition, .. } => visit(condition),
        EdgeKind::Assign { value, .. } => visit(value),
        EdgeKind::DeclareVla { size, .. } => visit(size),
        EdgeKind::Return { value: Some(value) } => visit(value),
        EdgeKind::Call(call) => {
            let call = &program.calls[call];
            if let Callee::Indirect(callee) = call.callee {
                visit(callee);
            }
            program.expr_lists[call.arguments].iter().for_each(|&argument| visit(argument));
        }
        _ => {}
    }
}

/// Places that an edge reads without an [`ExprKind::Load`].
fn for_each_read_place(edge: &EdgeKind, visit: &mut dyn FnMut(PlaceId)) {
    if let EdgeKind::VaArg { list, .. } | EdgeKind::VaCopy { list, .. } = *edge {
        visit(list);
    }
}

/// The place that an edge assigns to; for calls the one that takes the result.
#[inline]
pub fn written(program: &Program, edge: &EdgeKind) -> Option<PlaceId> {
    match *edge {
        EdgeKind::Assign { target, .. }
        | EdgeKind::Zero { target }
        | EdgeKind::Input { target, .. }
        | EdgeKind::VaArg { target, .. }
        | EdgeKind::VaCopy { target, .. } => Some(target),
        EdgeKind::Call(call) => program.calls[call].result,
        _ => None,
    }
}

/// What evaluating an expression reads and takes the address of.
pub fn expr_accesses(program: &Program, expr: ExprId, visit: &mut dyn FnMut(Access)) {
    match program.exprs[expr].kind {
        ExprKind::Load(place) => {
            place_accesses(program, place, visit);
            visit(Access::Read(place));
        }
        ExprKind::AddressOf(place) => {
            place_accesses(program, place, visit);
            visit(Access::Address(place));
        }
        kind => for_each_child(kind, &mut |child| expr_accesses(program, child, visit)),
    }
}

/// What finding a place reads: the pointer it is based on and the indices on the way.
pub fn place_accesses(program: &Program, place: PlaceId, visit: &mut dyn FnMut(Access)) {
    let Place { base, projections, .. } = program.places[place];
    if let PlaceBase::Dereference(pointer) = base {
        expr_accesses(program, pointer, visit);
    }
    for projection in &program.projections[projections] {
        if let Projection::Index { index, .. } = *projection {
            expr_accesses(program, index, visit);
        }
    }
}

/// The operands of an expression that are expressions (places aside).
pub fn for_each_child(kind: ExprKind, visit: &mut dyn FnMut(ExprId)) {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Load(_)
        | ExprKind::AddressOf(_)
        | ExprKind::FunctionAddress(_)
        | ExprKind::LabelAddress(_) => {}
        ExprKind::Unary { operand, .. } | ExprKind::Cast(operand) | ExprKind::Intrinsic { operand, .. } => {
            visit(operand);
        }
        ExprKind::Binary { left, right, .. }
        | ExprKind::PointerDifference { left, right, .. }
        | ExprKind::Overflows { left, right, .. }
        | ExprKind::FloatCompare { left, right, .. } => {
            visit(left);
            visit(right);
        }
        ExprKind::PointerAdd { pointer, index, .. } => {
            visit(pointer);
            visit(index);
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            visit(condition);
            visit(then);
            visit(otherwise);
        }
    }
}

/// The variables that an edge reads, by name: not through pointers.
pub fn variables_read(program: &Program, edge: &EdgeKind, visit: &mut dyn FnMut(VariableId)) {
    accesses(program, edge, &mut |access| {
        if let Access::Read(place) = access
            && let PlaceBase::Variable(variable) = program.places[place].base
        {
            visit(variable);
        }
    });
}

/// The variable that an edge overwrites altogether, so that its old value is gone.
pub fn variable_killed(program: &Program, edge: &EdgeKind) -> Option<VariableId> {
    match *edge {
        EdgeKind::Declare { variable }
        | EdgeKind::DeclareVla { variable, .. }
        | EdgeKind::EndOfLife { variable } => Some(variable),
        _ => written(program, edge).and_then(|place| program.as_variable(place)),
    }
}
