//! Conditions as control flow: `&&`, `||`, `!` and `?:` become branches, never values.

use super::Lowering;
use super::build::is_comparison;
use crate::program::{EdgeKind, ExprId, LocationId};
use base::Span;
use sema::hir::{self, BinaryOp, ExprKind, UnaryOp};
use sema::types::Type;

impl Lowering<'_> {
    /// Leaves the current location for `on_true` if the expression is not zero, else for `on_false`.
    pub(super) fn condition(&mut self, expr: hir::ExprId, on_true: LocationId, on_false: LocationId) {
        let (expr, truth) = self.strip(expr, true);
        let (on_true, on_false) = if truth { (on_true, on_false) } else { (on_false, on_true) };
        let hir::Expr { kind, span, .. } = self.hir.exprs[expr];
        match kind {
            ExprKind::Int(bits) => self.draft.jump(if bits != 0 { on_true } else { on_false }, span),
            ExprKind::LogicalAnd { .. } | ExprKind::LogicalOr { .. } => self.logical(expr, on_true, on_false),
            ExprKind::Comma { left, right } => {
                self.effect(left);
                self.condition(right, on_true, on_false);
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                let (first, second) = (self.draft.location(), self.draft.location());
                self.condition(condition, first, second);
                self.draft.start(first);
                self.condition(then, on_true, on_false);
                self.draft.start(second);
                self.condition(otherwise, on_true, on_false);
            }
            _ => {
                let value = self.value(expr);
                self.branch(value, on_true, on_false);
            }
        }
    }

    /// Two assumes on a value; none if it is a constant.
    pub(super) fn branch(&mut self, condition: ExprId, on_true: LocationId, on_false: LocationId) {
        let span = self.program.exprs[condition].span;
        if let Some(bits) = self.as_constant(condition) {
            return self.draft.jump(if bits != 0 { on_true } else { on_false }, span);
        }
        self.draft.emit_to(EdgeKind::Assume { condition, truth: true }, on_true, span);
        self.draft.emit_to(EdgeKind::Assume { condition, truth: false }, on_false, span);
    }

    /// Operands of one `&&` or `||` after the other; the tree leans to the left, however long.
    fn logical(&mut self, expr: hir::ExprId, on_true: LocationId, on_false: LocationId) {
        let (first, is_and, base) = self.operands(expr);
        let mut operand = first;
        while self.spine.len() > base {
            let next = self.draft.location();
            let (on_true, on_false) = if is_and { (next, on_false) } else { (on_true, next) };
            self.condition(operand, on_true, on_false);
            self.draft.start(next);
            operand = self.spine.pop().unwrap_or(operand);
        }
        self.condition(operand, on_true, on_false);
    }

    /// Puts the operands of a chain of one kind on the spine, from the last to the second, and
    /// returns the first, whether the chain is of `&&`, and how long the spine was.
    fn operands(&mut self, mut expr: hir::ExprId) -> (hir::ExprId, bool, usize) {
        let base = self.spine.len();
        let is_and = matches!(self.hir.exprs[expr].kind, ExprKind::LogicalAnd { .. });
        loop {
            match self.hir.exprs[expr].kind {
                ExprKind::LogicalAnd { left, right } if is_and => {
                    self.spine.push(right);
                    expr = left;
                }
                ExprKind::LogicalOr { left, right } if !is_and => {
                    self.spine.push(right);
                    expr = left;
                }
                _ => return (expr, is_and, base),
            }
        }
    }

    /// Takes off what does not change whether a value is zero, and `!`, which turns it around.
    fn strip(&self, mut expr: hir::ExprId, mut truth: bool) -> (hir::ExprId, bool) {
        loop {
            match self.hir.exprs[expr].kind {
                ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => {
                    truth = !truth;
                    expr = operand;
                }
                ExprKind::Cast(operand) if self.keeps_truth(operand, expr) => expr = operand,
                ExprKind::Binary { op: op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right }
                    if self.is_zero(right) && self.is_truth_value(left) =>
                {
                    truth ^= op == BinaryOp::Equal;
                    expr = left;
                }
                _ => return (expr, truth),
            }
        }
    }

    fn is_zero(&self, expr: hir::ExprId) -> bool {
        matches!(self.hir.exprs[expr].kind, ExprKind::Int(0))
    }

    /// Whether a conversion is zero exactly if its operand is.
    fn keeps_truth(&self, operand: hir::ExprId, cast: hir::ExprId) -> bool {
        let types = &self.program.types;
        let (from, to) = (self.hir.exprs[operand].ty, self.hir.exprs[cast].ty);
        if matches!(types.get(to), Type::Bool) {
            return types.is_scalar(from);
        }
        match (types.int_shape(from), types.int_shape(to)) {
            (Some(from), Some(to)) => to.width >= from.width || self.is_truth_value(operand),
            _ => false,
        }
    }

    /// Whether an expression is 0 or 1 by its form.
    fn is_truth_value(&self, mut expr: hir::ExprId) -> bool {
        loop {
            match self.hir.exprs[expr].kind {
                ExprKind::LogicalAnd { .. }
                | ExprKind::LogicalOr { .. }
                | ExprKind::Unary { op: UnaryOp::LogicalNot, .. } => return true,
                ExprKind::Binary { op, .. } => return is_comparison(op),
                ExprKind::Cast(operand) if self.program.types.is_integer(self.hir.exprs[operand].ty) => {
                    expr = operand;
                }
                _ => return false,
            }
        }
    }

    /// The run goes on only if the expression has this truth value.
    pub(super) fn assumption(&mut self, expr: hir::ExprId, truth: bool) {
        let (expr, truth) = self.strip(expr, truth);
        let hir::Expr { kind, span, .. } = self.hir.exprs[expr];
        match kind {
            ExprKind::LogicalAnd { .. } | ExprKind::LogicalOr { .. } => {
                self.logical_assumption(expr, truth, span);
            }
            ExprKind::Comma { left, right } => {
                self.effect(left);
                self.assumption(right, truth);
            }
            _ => {
                let condition = self.value(expr);
                match self.as_constant(condition) {
                    Some(bits) if (bits != 0) == truth => {}
                    Some(_) => self.drop_path(span),
                    None => self.draft.emit(EdgeKind::Assume { condition, truth }, span),
                }
            }
        }
    }

    /// Either all operands are assumed, or each decides alone and the last is assumed.
    fn logical_assumption(&mut self, expr: hir::ExprId, truth: bool, span: Span) {
        let (first, is_and, base) = self.operands(expr);
        let mut operand = first;
        let done = self.draft.location();
        while self.spine.len() > base {
            if is_and == truth {
                self.assumption(operand, truth);
            } else {
                let next = self.draft.location();
                let (on_true, on_false) = if truth { (done, next) } else { (next, done) };
                self.condition(operand, on_true, on_false);
                self.draft.start(next);
            }
            operand = self.spine.pop().unwrap_or(operand);
        }
        self.assumption(operand, truth);
        self.draft.jump(done, span);
        self.draft.start(done);
    }
}
