//! Assignments of all kinds, and values that are put straight where they belong.

use super::build::Path;
use super::facts::Footprint;
use super::{Lowering, hir};
use crate::program::*;
use base::Span;
use sema::hir::ExprKind as HirKind;
use sema::types::{Type, TypeId};

impl Lowering<'_> {
    /// `target = value`. If `wanted`, the result is the target's new value.
    pub(super) fn assign(
        &mut self,
        target: hir::ExprId,
        value: hir::ExprId,
        wanted: bool,
        span: Span,
    ) -> ExprId {
        let mut path = self.path(target);
        self.pin(&mut path, self.facts.writes(value));
        let place = self.target_place(path, wanted);
        let assigned = self.value_into_at(place, value, span);
        self.new_value(place, assigned, wanted, span)
    }

    /// The place to assign to; still the same place after the assignment if its value is `wanted`.
    fn target_place(&mut self, mut path: Path, wanted: bool) -> PlaceId {
        if wanted {
            let own = self.footprint(path.base);
            self.pin(&mut path, own);
        }
        self.place(path)
    }

    /// What an assignment yields: the value itself if it is sure not to have changed since.
    fn new_value(&mut self, place: PlaceId, assigned: Option<ExprId>, wanted: bool, span: Span) -> ExprId {
        match assigned {
            // Nobody looks at it.
            Some(value) if !wanted => value,
            Some(value) if self.is_constant(value) && !self.is_bit_field(place) => value,
            _ => self.load(place, span),
        }
    }

    fn is_constant(&self, value: ExprId) -> bool {
        matches!(self.program.exprs[value].kind, ExprKind::Int(_) | ExprKind::Float(_))
    }

    /// Puts the value of an expression into a place of its type.
    pub(super) fn value_into(&mut self, place: PlaceId, expr: hir::ExprId) {
        self.value_into_at(place, expr, self.hir.exprs[expr].span);
    }

    /// As [`value_into`](Self::value_into), with the span of the assignment; returns the value if it
    /// was assigned by one edge.
    pub(super) fn value_into_at(&mut self, place: PlaceId, expr: hir::ExprId, span: Span) -> Option<ExprId> {
        let hir::Expr { kind, ty, .. } = self.hir.exprs[expr];
        match kind {
            HirKind::Call { .. } => self.call_into(place, expr, span),
            HirKind::LogicalAnd { .. } | HirKind::LogicalOr { .. } if !self.facts.is_safe(expr) => {
                self.truth_into(place, expr, span);
            }
            HirKind::Conditional { .. } if !self.facts.is_safe(expr) => {
                self.conditional_into(place, expr, span);
            }
            HirKind::Comma { left, right } => {
                self.effect(left);
                return self.value_into_at(place, right, span);
            }
            HirKind::Statement { block, value } => {
                self.inner_statements(block);
                if let Some(value) = value {
                    return self.value_into_at(place, value, span);
                }
            }
            HirKind::VaArg { list } => self.va_arg(place, list, span),
            HirKind::Unsupported(what) => {
                self.draft.emit(EdgeKind::Unsupported(what), span);
                self.draft.emit(EdgeKind::Input { target: place, function: None }, span);
            }
            _ if ty.unqualified() == TypeId::VOID => self.effect(expr),
            _ => {
                let value = self.value(expr);
                self.draft.emit(EdgeKind::Assign { target: place, value }, span);
                return Some(value);
            }
        }
        None
    }

    fn call_into(&mut self, place: PlaceId, expr: hir::ExprId, span: Span) {
        let ty = self.hir.exprs[expr].ty.unqualified();
        if ty == TypeId::VOID {
            return self.call(expr, None);
        }
        if self.is_fixed(place) && self.program.places[place].ty.unqualified() == ty {
            return self.call(expr, Some(place));
        }
        let value = self.value_by_temporary(expr);
        self.draft.emit(EdgeKind::Assign { target: place, value }, span);
    }

    /// 1 or 0, by branches.
    fn truth_into(&mut self, place: PlaceId, expr: hir::ExprId, span: Span) {
        let (on_true, on_false, end) = (self.draft.location(), self.draft.location(), self.draft.location());
        self.condition(expr, on_true, on_false);
        for (start, truth) in [(on_true, 1), (on_false, 0)] {
            self.draft.start(start);
            let value = self.int(truth, TypeId::INT, span);
            self.draft.emit(EdgeKind::Assign { target: place, value }, span);
            self.draft.jump(end, span);
        }
        self.draft.start(end);
    }

    /// Either value, by branches; `a ? b : c ? d : …` in a loop.
    fn conditional_into(&mut self, place: PlaceId, mut expr: hir::ExprId, span: Span) {
        let end = self.draft.location();
        while let HirKind::Conditional { condition, then, otherwise } = self.hir.exprs[expr].kind {
            let (on_true, on_false) = (self.draft.location(), self.draft.location());
            match then {
                Some(then) => {
                    self.condition(condition, on_true, on_false);
                    self.draft.start(on_true);
                    self.value_into_at(place, then, span);
                }
                None => {
                    let ty = self.hir.exprs[expr].ty;
                    let value = self.value(condition);
                    let value = if self.is_trivial(value) { value } else { self.save(value) };
                    self.branch(value, on_true, on_false);
                    self.draft.start(on_true);
                    let value = self.cast(value, ty, span);
                    self.draft.emit(EdgeKind::Assign { target: place, value }, span);
                }
            }
            self.draft.jump(end, span);
            self.draft.start(on_false);
            expr = otherwise;
        }
        self.value_into_at(place, expr, span);
        self.draft.jump(end, span);
        self.draft.start(end);
    }

    fn va_arg(&mut self, place: PlaceId, list: hir::ExprId, span: Span) {
        let list = self.lvalue(list);
        if self.is_fixed(place) {
            return self.draft.emit(EdgeKind::VaArg { target: place, list }, span);
        }
        let ty = self.program.places[place].ty;
        let target = self.temporary_place(ty, span);
        self.draft.emit(EdgeKind::VaArg { target, list }, span);
        let value = self.load(target, span);
        self.draft.emit(EdgeKind::Assign { target: place, value }, span);
    }

    /// `target op= value`. For a call in the value, reading and writing the target are one step (C11 6.5.16.2), so a
    /// value with side effects comes first, as in gcc.
    pub(super) fn compound_assign(&mut self, expr: hir::ExprId, wanted: bool) -> ExprId {
        let hir::Expr { kind, ty, span } = self.hir.exprs[expr];
        let HirKind::CompoundAssign { op, target, value, compute } = kind else {
            return self.value(expr);
        };
        let has_effects = self.facts.writes(value) != Footprint::NOTHING;
        let early = has_effects.then(|| {
            let value = self.value(value);
            self.keep(value, target)
        });
        let path = self.path(target);
        let place = self.target_place(path, wanted);
        let old = self.read_place(place, span);
        let value = early.unwrap_or_else(|| self.value(value));
        let new = if self.program.types.is_pointer(compute) {
            self.pointer_add(old, value, op == BinaryOp::Subtract, compute, span)
        } else {
            let old = self.cast(old, compute, span);
            self.binary(op, [old, value], compute, span)
        };
        self.store(place, new, ty, wanted, span)
    }

    fn store(&mut self, place: PlaceId, value: ExprId, ty: TypeId, wanted: bool, span: Span) -> ExprId {
        let value = self.cast(value, ty, span);
        self.draft.emit(EdgeKind::Assign { target: place, value }, span);
        self.new_value(place, Some(value), wanted, span)
    }

    /// `++` and `--`, before and after.
    pub(super) fn increment(&mut self, expr: hir::ExprId, wanted: bool) -> ExprId {
        let hir::Expr { kind, ty, span } = self.hir.exprs[expr];
        let HirKind::Increment { target, decrement, prefix } = kind else {
            return self.value(expr);
        };
        let path = self.path(target);
        let place = self.target_place(path, wanted && prefix);
        let old = self.read_place(place, span);
        let saved = if wanted && !prefix { self.save(old) } else { old };
        let new = self.next_value(old, decrement, ty, span);
        let result = self.store(place, new, ty, wanted && prefix, span);
        if prefix { result } else { saved }
    }

    fn next_value(&mut self, old: ExprId, decrement: bool, ty: TypeId, span: Span) -> ExprId {
        if self.program.types.is_pointer(ty) {
            let index = self.int(1, TypeId::INT, span);
            return self.pointer_add(old, index, decrement, ty, span);
        }
        let compute = self.promoted(ty);
        let old = self.cast(old, compute, span);
        let one = self.one(compute, span);
        let op = if decrement { BinaryOp::Subtract } else { BinaryOp::Add };
        self.binary(op, [old, one], compute, span)
    }

    /// The type that arithmetic on a value of this type is done in.
    fn promoted(&self, ty: TypeId) -> TypeId {
        let types = &self.program.types;
        match *types.get(ty) {
            Type::Enum(id) => self.promoted(types.enums[id].underlying.unwrap_or(TypeId::INT)),
            _ => match types.int_shape(ty) {
                Some(shape) if shape.width < 32 => TypeId::INT,
                _ => ty.unqualified(),
            },
        }
    }
}
