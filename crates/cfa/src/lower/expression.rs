//! Values of expressions, and expressions for their effects alone.

use super::Lowering;
use crate::program::*;
use base::Span;
use sema::hir;
use sema::types::{Length, Type, TypeId};

impl Lowering<'_> {
    /// The value of an expression, after its side effects. It holds until something writes what it
    /// reads: see [`keep`](Self::keep).
    pub(super) fn value(&mut self, expr: hir::ExprId) -> ExprId {
        let base = self.spine.len();
        let mut operand = expr;
        while let Some(left) = self.left_operand(operand) {
            self.spine.push(operand);
            operand = left;
        }
        let mut value = self.leaf(operand);
        while self.spine.len() > base {
            if let Some(operation) = self.spine.pop() {
                value = self.combine(operation, value);
            }
        }
        value
    }

    /// The operand that is evaluated first, of operations that have one and need no branches.
    fn left_operand(&self, expr: hir::ExprId) -> Option<hir::ExprId> {
        use hir::ExprKind;
        let hir::Expr { kind, ty, .. } = self.hir.exprs[expr];
        match kind {
            ExprKind::Binary { left, .. }
            | ExprKind::PointerAdd { pointer: left, .. }
            | ExprKind::PointerDifference { left, .. } => Some(left),
            ExprKind::Unary { operand, .. } => Some(operand),
            ExprKind::Cast(operand) if ty.unqualified() != TypeId::VOID => Some(operand),
            ExprKind::LogicalAnd { left, .. } | ExprKind::LogicalOr { left, .. } => {
                self.facts.is_safe(expr).then_some(left)
            }
            ExprKind::Load(place) => self.first_pointer(place),
            _ => None,
        }
    }

    /// The value of an operation whose left operand has been evaluated.
    fn combine(&mut self, expr: hir::ExprId, left: ExprId) -> ExprId {
        use hir::ExprKind;
        let hir::Expr { kind, ty, span } = self.hir.exprs[expr];
        match kind {
            ExprKind::Binary { op, right, .. } => {
                let (left, right) = self.second(left, right);
                self.binary(op, [left, right], ty, span)
            }
            ExprKind::PointerAdd { index, subtract, .. } => {
                let (left, index) = self.second(left, index);
                self.pointer_add(left, index, subtract, ty, span)
            }
            ExprKind::PointerDifference { right, .. } => {
                let (left, right) = self.second(left, right);
                self.pointer_difference(left, right, ty, span)
            }
            ExprKind::Unary { op, .. } => self.expr(super::ExprKind::Unary { op, operand: left }, ty, span),
            ExprKind::Load(place) => self.load_from(left, place, ty, span),
            ExprKind::LogicalAnd { right, .. } => self.safe_logical(left, right, true, span),
            ExprKind::LogicalOr { right, .. } => self.safe_logical(left, right, false, span),
            _ => self.cast(left, ty, span),
        }
    }

    /// Evaluates a second operand, keeping the first from its effects.
    fn second(&mut self, left: ExprId, right: hir::ExprId) -> (ExprId, ExprId) {
        let left = self.keep(left, right);
        (left, self.value(right))
    }

    fn safe_logical(&mut self, condition: ExprId, right: hir::ExprId, is_and: bool, span: Span) -> ExprId {
        let right = self.value(right);
        let right = self.truth(right, span);
        let decided = self.int(i128::from(!is_and), TypeId::INT, span);
        let (then, otherwise) = if is_and { (right, decided) } else { (decided, right) };
        self.conditional(condition, then, otherwise, span)
    }

    /// A choice between two values that can both be evaluated.
    pub(super) fn conditional(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        span: Span,
    ) -> ExprId {
        match self.as_constant(condition) {
            Some(0) => otherwise,
            Some(_) => then,
            None => {
                let ty = self.type_of(then);
                self.expr(ExprKind::Conditional { condition, then, otherwise }, ty, span)
            }
        }
    }

    fn leaf(&mut self, expr: hir::ExprId) -> ExprId {
        use hir::ExprKind;
        let hir::Expr { kind, ty, span } = self.hir.exprs[expr];
        match kind {
            ExprKind::Int(bits) => self.expr(super::ExprKind::Int(bits), ty, span),
            ExprKind::Float(id) => self.expr(super::ExprKind::Float(id), ty, span),
            ExprKind::Load(place) => {
                let place = self.lvalue(place);
                self.read(place, ty, span)
            }
            ExprKind::Function(function) => self.function_address(function, ty, span),
            ExprKind::AddressOf(place) => self.address_of(place, ty, span),
            ExprKind::LabelAddress(label) => {
                let number = self.label_numbers[label.0 as usize].unwrap_or(0);
                self.expr(super::ExprKind::LabelAddress(number), ty, span)
            }
            ExprKind::Conditional { condition, then, otherwise } if self.facts.is_safe(expr) => {
                let condition = self.value(condition);
                let then = then.map_or(condition, |then| self.value(then));
                let otherwise = self.value(otherwise);
                self.conditional(condition, then, otherwise, span)
            }
            ExprKind::Assign { target, value } => self.assign(target, value, true, span),
            ExprKind::CompoundAssign { .. } => self.compound_assign(expr, true),
            ExprKind::Increment { .. } => self.increment(expr, true),
            ExprKind::Comma { left, right } => {
                self.effect(left);
                self.value(right)
            }
            ExprKind::Builtin { .. } => self.builtin(expr, true),
            ExprKind::Statement { block, value: Some(value) } => {
                self.inner_statements(block);
                self.value(value)
            }
            ExprKind::Variable(_)
            | ExprKind::String(_)
            | ExprKind::Dereference(_)
            | ExprKind::Field { .. }
            | ExprKind::Index { .. }
            | ExprKind::CompoundLiteral { .. } => {
                let place = self.lvalue(expr);
                self.read_place(place, span)
            }
            _ => self.value_by_temporary(expr),
        }
    }

    /// For what arrives by edges into a place: calls, branches, `va_arg`.
    pub(super) fn value_by_temporary(&mut self, expr: hir::ExprId) -> ExprId {
        let hir::Expr { ty, span, .. } = self.hir.exprs[expr];
        if ty.unqualified() == TypeId::VOID {
            // No value is asked of these but by programs that make no sense.
            self.effect(expr);
            return self.int(0, TypeId::INT, span);
        }
        let target = self.temporary_place(ty, span);
        self.value_into(target, expr);
        self.load(target, span)
    }

    /// Any value of the type, after something that is not modelled.
    pub(super) fn unsupported(&mut self, what: &'static str, ty: TypeId, span: Span) -> ExprId {
        self.draft.emit(EdgeKind::Unsupported(what), span);
        if ty.unqualified() == TypeId::VOID {
            return self.int(0, TypeId::INT, span);
        }
        self.any_value(ty, span)
    }

    pub(super) fn any_value(&mut self, ty: TypeId, span: Span) -> ExprId {
        let target = self.temporary_place(ty, span);
        self.draft.emit(EdgeKind::Input { target, function: None }, span);
        self.load(target, span)
    }

    /// `pointer + index` in elements.
    pub(super) fn pointer_add(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        subtract: bool,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let element = self.program.types.pointee(ty).unwrap_or(TypeId::VOID);
        let (index, size) = match self.program.types.size_of(element) {
            Some(size) => (index, size as i64),
            None => (self.scaled_index(index, element, span), 1),
        };
        let scale = if subtract { size.wrapping_neg() } else { size };
        self.expr(ExprKind::PointerAdd { pointer, index, scale }, ty, span)
    }

    /// The index in bytes, where the size of an element is known at run time only.
    pub(super) fn scaled_index(&mut self, index: ExprId, element: TypeId, span: Span) -> ExprId {
        let ty = self.program.types.difference_type();
        let index = self.cast(index, ty, span);
        let size = self.runtime_size(element, span);
        let size = self.cast(size, ty, span);
        self.binary(BinaryOp::Multiply, [index, size], ty, span)
    }

    /// The size of a type in bytes, as an expression of type `size_t`.
    fn runtime_size(&mut self, ty: TypeId, span: Span) -> ExprId {
        let size_type = self.program.types.size_type();
        match *self.program.types.get(ty) {
            Type::Array { element, length: Length::Variable(vla) } => {
                let length = self.load_variable(self.program.vlas[vla], span);
                let length = self.cast(length, size_type, span);
                let size = self.runtime_size(element, span);
                self.binary(BinaryOp::Multiply, [length, size], size_type, span)
            }
            Type::Array { element, length: Length::Known(length) } => {
                let length = self.int(i128::from(length), size_type, span);
                let size = self.runtime_size(element, span);
                self.binary(BinaryOp::Multiply, [length, size], size_type, span)
            }
            _ => {
                let size = self.program.types.size_of(ty).unwrap_or(1);
                self.int(i128::from(size), size_type, span)
            }
        }
    }

    fn pointer_difference(&mut self, left: ExprId, right: ExprId, ty: TypeId, span: Span) -> ExprId {
        let pointer = self.type_of(left);
        let element = self.program.types.pointee(pointer).unwrap_or(TypeId::VOID);
        if let Some(size) = self.program.types.size_of(element) {
            let size = size.max(1);
            return self.expr(ExprKind::PointerDifference { left, right, size }, ty, span);
        }
        let bytes = self.expr(ExprKind::PointerDifference { left, right, size: 1 }, ty, span);
        let size = self.runtime_size(element, span);
        let size = self.cast(size, ty, span);
        self.binary(BinaryOp::Divide, [bytes, size], ty, span)
    }

    /// Evaluates an expression for its side effects.
    pub(super) fn effect(&mut self, expr: hir::ExprId) {
        use hir::ExprKind;
        let base = self.spine.len();
        let mut first = expr;
        while let ExprKind::Comma { left, right } = self.hir.exprs[first].kind {
            self.spine.push(right);
            first = left;
        }
        self.single_effect(first);
        while self.spine.len() > base {
            if let Some(next) = self.spine.pop() {
                self.single_effect(next);
            }
        }
    }

    fn single_effect(&mut self, expr: hir::ExprId) {
        use hir::ExprKind;
        let hir::Expr { kind, ty, span } = self.hir.exprs[expr];
        match kind {
            ExprKind::Assign { target, value } => {
                self.assign(target, value, false, span);
            }
            ExprKind::CompoundAssign { .. } => {
                self.compound_assign(expr, false);
            }
            ExprKind::Increment { .. } => {
                self.increment(expr, false);
            }
            ExprKind::Call { .. } => self.call(expr, None),
            ExprKind::Builtin { .. } => {
                self.builtin(expr, false);
            }
            ExprKind::Cast(operand) if ty.unqualified() == TypeId::VOID => self.effect(operand),
            ExprKind::Comma { .. } => self.effect(expr),
            ExprKind::LogicalAnd { left, right } => self.guarded_effect(left, right, true, span),
            ExprKind::LogicalOr { left, right } => self.guarded_effect(left, right, false, span),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional_effect(condition, then, otherwise, span);
            }
            ExprKind::Statement { block, value } => {
                self.inner_statements(block);
                if let Some(value) = value {
                    self.effect(value);
                }
            }
            ExprKind::Unsupported(what) => self.draft.emit(EdgeKind::Unsupported(what), span),
            ExprKind::Dereference(pointer) | ExprKind::Load(pointer) if ty.unqualified() == TypeId::VOID => {
                self.effect(pointer);
            }
            _ if self.facts.is_safe(expr) => {}
            _ => self.dropped_value(expr),
        }
    }

    /// The value is not needed, but computing it may be undefined.
    fn dropped_value(&mut self, expr: hir::ExprId) {
        let value = self.value(expr);
        let is_address = matches!(self.program.exprs[value].kind, ExprKind::AddressOf(_));
        if !is_address && !self.is_trivial(value) {
            self.save(value);
        }
    }

    fn guarded_effect(&mut self, left: hir::ExprId, right: hir::ExprId, is_and: bool, span: Span) {
        let (next, end) = (self.draft.location(), self.draft.location());
        let (on_true, on_false) = if is_and { (next, end) } else { (end, next) };
        self.condition(left, on_true, on_false);
        self.draft.start(next);
        self.effect(right);
        self.draft.jump(end, span);
        self.draft.start(end);
    }

    fn conditional_effect(
        &mut self,
        condition: hir::ExprId,
        then: Option<hir::ExprId>,
        otherwise: hir::ExprId,
        span: Span,
    ) {
        let Some(then) = then else {
            return self.guarded_effect(condition, otherwise, false, span);
        };
        let (on_true, on_false, end) = (self.draft.location(), self.draft.location(), self.draft.location());
        self.condition(condition, on_true, on_false);
        for (start, branch) in [(on_true, then), (on_false, otherwise)] {
            self.draft.start(start);
            self.effect(branch);
            self.draft.jump(end, span);
        }
        self.draft.start(end);
    }
}
