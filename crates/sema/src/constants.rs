//! Constants: folding while expressions are made, and integer constant expressions (C11 6.6).
//!
//! Folding is cheap and cautious: operands are literals by then, and whatever is undefined (division
//! by zero, signed overflow, bad shifts) stays as written, for the checker to find. Where the
//! language demands a constant, [`Analyzer::evaluate`] goes on, wrapping as gcc does.

use crate::context::{Analyzer, Checked};
use crate::floats;
use crate::hir::{BinaryOp, Expr, ExprId, ExprKind, UnaryOp};
use crate::types::{FloatKind, IntShape, Type, TypeId};
use base::Span;
use std::cmp::Ordering;
use syntax::ast;

/// A value computed at compile time.
#[derive(Clone, Copy, Debug)]
enum Value {
    Int(i128),
    Float(u128, FloatKind),
}

impl Analyzer<'_> {
    /// A cast, folded on constants and left out where it changes nothing.
    pub fn cast(&mut self, expr: ExprId, ty: TypeId, span: Span) -> ExprId {
        let Expr { kind, ty: from, .. } = self.program.exprs[expr];
        let ty = ty.unqualified();
        if from.unqualified() == ty {
            return expr;
        }
        let address_width = 8 * self.types().pointer_size() as u32;
        if self.types().is_pointer(from)
            && self.types().int_shape(ty).is_some_and(|to| to.width > address_width)
        {
            // To gcc, an address is a signed number.
            let signed = self.int_of_width(address_width, true);
            let address = self.cast(expr, signed, span);
            return self.cast(address, ty, span);
        }
        match kind {
            ExprKind::Int(bits) => {
                let value = Value::Int(self.constant_value(from, bits));
                self.fold_cast(value, ty, span)
            }
            ExprKind::Float(id) => {
                let bits = self.program.floats[id].bits;
                let value = self.float_kind(from).map(|kind| Value::Float(bits, kind));
                value.and_then(|value| self.fold_cast(value, ty, span))
            }
            // The classic offsetof: `(size_t) &((struct s *) 0)->member`.
            ExprKind::AddressOf(place) if self.types().is_integer(ty) => {
                let address = self.constant_address(place);
                address.and_then(|address| self.fold_cast(Value::Int(address), ty, span))
            }
            _ => None,
        }
        .unwrap_or_else(|| self.make(ExprKind::Cast(expr), ty, span))
    }

    fn fold_cast(&mut self, value: Value, ty: TypeId, span: Span) -> Option<ExprId> {
        match (self.converted(value, ty)?, self.types().is_pointer(ty)) {
            (Value::Int(value), true) => {
                let mask = if self.types().pointer_size() == 4 { u64::from(u32::MAX) } else { u64::MAX };
                Some(self.make(ExprKind::Int(value as u64 & mask), ty, span))
            }
            (Value::Int(value), _) if self.representable(value, ty) => Some(self.int(value, ty, span)),
            (Value::Float(bits, _), _) => Some(self.float(bits, ty, span)),
            _ => None,
        }
    }

    /// Whether [`ExprKind::Int`] can hold the value in this type.
    fn representable(&self, value: i128, ty: TypeId) -> bool {
        match self.shape(ty) {
            IntShape { width: 128, signed: true } => i64::try_from(value).is_ok(),
            IntShape { width: 128, signed: false } => u64::try_from(value).is_ok(),
            _ => true,
        }
    }

    /// `None` if the conversion is undefined, or not to a type of constants.
    fn converted(&self, value: Value, ty: TypeId) -> Option<Value> {
        match (value, self.types().get(ty)) {
            (Value::Int(value), Type::Bool) => Some(Value::Int(i128::from(value != 0))),
            (Value::Float(bits, kind), Type::Bool) => {
                Some(Value::Int(i128::from(!floats::is_zero(bits, kind))))
            }
            (Value::Int(value), Type::Int(_) | Type::Enum(_)) => Some(Value::Int(self.wrapped(value, ty))),
            (Value::Int(value), Type::Pointer(_)) => Some(Value::Int(value)),
            (Value::Int(value), Type::Float(kind)) => {
                Some(Value::Float(floats::from_int(value, *kind), *kind))
            }
            (Value::Float(bits, from), Type::Int(_) | Type::Enum(_)) => {
                floats::to_int(bits, from, self.shape(ty)).map(Value::Int)
            }
            (Value::Float(bits, from), Type::Float(to)) => {
                Some(Value::Float(floats::convert(bits, from, *to), *to))
            }
            _ => None,
        }
    }

    /// The value modulo the width of its type.
    pub fn wrapped(&self, value: i128, ty: TypeId) -> i128 {
        let IntShape { width, signed } = self.shape(ty);
        if width >= 128 {
            return value;
        }
        let unused = 128 - width;
        if signed { (value << unused) >> unused } else { ((value as u128) << unused >> unused) as i128 }
    }

    fn fits(&self, value: i128, ty: TypeId) -> bool {
        self.wrapped(value, ty) == value
    }

    /// Pointers widen like signed integers, as gcc's do.
    fn constant_value(&self, ty: TypeId, bits: u64) -> i128 {
        match *self.types().get(ty) {
            Type::Pointer(_) if self.types().pointer_size() == 4 => i128::from(bits as u32 as i32),
            _ => self.types().int_value(ty, bits),
        }
    }

    fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match *self.types().get(ty) {
            Type::Float(kind) => Some(kind),
            _ => None,
        }
    }

    pub fn int_constant(&self, expr: ExprId) -> Option<i128> {
        match self.program.exprs[expr] {
            Expr { kind: ExprKind::Int(bits), ty, .. } => Some(self.constant_value(ty, bits)),
            _ => None,
        }
    }

    /// Whether the expression is a number.
    pub fn is_constant(&self, expr: ExprId) -> bool {
        matches!(self.kind(expr), ExprKind::Int(_) | ExprKind::Float(_))
    }

    /// A binary operation on converted operands, folded if it is defined on constants.
    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: TypeId, span: Span) -> ExprId {
        if let (ExprKind::Int(_), ExprKind::Int(_)) = (self.kind(left), self.kind(right))
            && let (Some(a), Some(b)) = (self.int_constant(left), self.int_constant(right))
            && let Some(value) = self.fold(op, a, b, self.type_of(left))
            && self.fits(value, ty)
            && self.representable(value, ty)
        {
            return self.int(value, ty, span);
        }
        self.make(ExprKind::Binary { op, left, right }, ty, span)
    }

    /// `None` where C leaves the result undefined.
    fn fold(&self, op: BinaryOp, left: i128, right: i128, ty: TypeId) -> Option<i128> {
        let IntShape { width, signed } = self.shape(ty);
        let value = match op {
            BinaryOp::Add => left.checked_add(right)?,
            BinaryOp::Subtract => left.checked_sub(right)?,
            BinaryOp::Multiply => left.checked_mul(right)?,
            BinaryOp::Divide => left.checked_div(right)?,
            BinaryOp::Remainder => {
                // INT_MIN % -1 is as undefined as the division.
                let quotient = left.checked_div(right)?;
                if !self.fits(quotient, ty) {
                    return None;
                }
                left.checked_rem(right)?
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let amount = u32::try_from(right).ok().filter(|&amount| amount < width)?;
                if op == BinaryOp::ShiftRight {
                    left >> amount
                } else if width > 64 || (signed && left < 0) {
                    return None;
                } else {
                    left << amount
                }
            }
            BinaryOp::BitAnd => left & right,
            BinaryOp::BitXor => left ^ right,
            BinaryOp::BitOr => left | right,
            _ => return Some(i128::from(compare(op, Some(left.cmp(&right))))),
        };
        if signed || width > 64 {
            return self.fits(value, ty).then_some(value);
        }
        Some(self.wrapped(value, ty))
    }

    pub fn unary(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId, span: Span) -> ExprId {
        if let Some(value) = self.int_constant(operand) {
            let folded = match op {
                UnaryOp::Negate => value.checked_neg(),
                UnaryOp::BitNot => Some(!value),
                UnaryOp::LogicalNot => Some(i128::from(value == 0)),
            };
            let folded =
                folded.map(|value| if self.shape(ty).signed { value } else { self.wrapped(value, ty) });
            if let Some(value) = folded.filter(|&value| self.fits(value, ty) && self.representable(value, ty))
            {
                return self.int(value, ty, span);
            }
        }
        if let (UnaryOp::Negate, ExprKind::Float(id)) = (op, self.kind(operand))
            && let Some(kind) = self.float_kind(ty)
        {
            let bits = floats::negate(self.program.floats[id].bits, kind);
            return self.float(bits, ty, span);
        }
        self.make(ExprKind::Unary { op, operand }, ty, span)
    }

    /// The address of a member of an object at a constant address.
    pub fn constant_address(&self, mut place: ExprId) -> Option<i128> {
        let mut offset = 0i128;
        loop {
            match self.kind(place) {
                ExprKind::Field { base, field } => {
                    let field = self.types().fields(self.type_of(base)).get(field as usize)?;
                    offset += i128::from(field.offset);
                    place = base;
                }
                ExprKind::Index { base, index } => {
                    let size = self.types().size_of(self.type_of(place))?;
                    offset += self.int_constant(index)?.checked_mul(i128::from(size))?;
                    place = base;
                }
                ExprKind::Dereference(pointer) => return Some(offset + self.int_constant(pointer)?),
                _ => return None,
            }
        }
    }

    /// The value of an integer constant expression, and where it stands.
    pub fn constant_integer(&mut self, expr: ast::ExprId) -> Checked<(i128, Span)> {
        let value = self.rvalue(expr)?;
        let span = self.ast.exprs[expr].span;
        if !self.types().is_integer(self.type_of(value)) {
            return Err(self.error(span, "integer constant expression expected"));
        }
        match self.evaluate(value) {
            Some(value) => Ok((value, span)),
            None => Err(self.error(span, "expression is not an integer constant expression")),
        }
    }

    /// The value of a constant of integer type.
    pub fn evaluate(&self, expr: ExprId) -> Option<i128> {
        match self.value(expr)? {
            Value::Int(value) => Some(value),
            Value::Float(..) => None,
        }
    }

    fn value(&self, expr: ExprId) -> Option<Value> {
        let Expr { kind, ty, .. } = self.program.exprs[expr];
        match kind {
            ExprKind::Int(bits) => Some(Value::Int(self.constant_value(ty, bits))),
            ExprKind::Float(id) => Some(Value::Float(self.program.floats[id].bits, self.float_kind(ty)?)),
            ExprKind::Cast(operand) => match self.kind(operand) {
                ExprKind::AddressOf(place) => self.converted(Value::Int(self.constant_address(place)?), ty),
                _ => self.converted(self.value(operand)?, ty),
            },
            ExprKind::Unary { op, operand } => self.unary_value(op, self.value(operand)?, ty),
            ExprKind::Binary { op, left, right } => {
                self.binary_value(op, self.value(left)?, self.value(right)?, self.type_of(left))
            }
            ExprKind::PointerDifference { left, right } => {
                let size = self.types().size_of(self.types().pointee(self.type_of(left))?)?;
                let address = |expr| match self.kind(expr) {
                    ExprKind::AddressOf(place) => self.constant_address(place),
                    _ => self.int_constant(expr),
                };
                Some(Value::Int((address(left)? - address(right)?).checked_div(i128::from(size))?))
            }
            ExprKind::LogicalAnd { left, right } => {
                Some(Value::Int(i128::from(self.truth(left)? && self.truth(right)?)))
            }
            ExprKind::LogicalOr { left, right } => {
                Some(Value::Int(i128::from(self.truth(left)? || self.truth(right)?)))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let chosen = if self.truth(condition)? { then.unwrap_or(condition) } else { otherwise };
                self.converted(self.value(chosen)?, ty)
            }
            _ => None,
        }
    }

    fn truth(&self, expr: ExprId) -> Option<bool> {
        Some(match self.value(expr)? {
            Value::Int(value) => value != 0,
            Value::Float(bits, kind) => !floats::is_zero(bits, kind),
        })
    }

    fn unary_value(&self, op: UnaryOp, value: Value, ty: TypeId) -> Option<Value> {
        Some(match (op, value) {
            (UnaryOp::Negate, Value::Int(value)) => Value::Int(self.wrapped(value.wrapping_neg(), ty)),
            (UnaryOp::BitNot, Value::Int(value)) => Value::Int(self.wrapped(!value, ty)),
            (UnaryOp::LogicalNot, Value::Int(value)) => Value::Int(i128::from(value == 0)),
            (UnaryOp::Negate, Value::Float(bits, kind)) => Value::Float(floats::negate(bits, kind), kind),
            (UnaryOp::LogicalNot, Value::Float(bits, kind)) => {
                Value::Int(i128::from(floats::is_zero(bits, kind)))
            }
            (UnaryOp::BitNot, Value::Float(..)) => return None,
        })
    }

    fn binary_value(&self, op: BinaryOp, left: Value, right: Value, ty: TypeId) -> Option<Value> {
        match (left, right) {
            (Value::Int(left), Value::Int(right)) => {
                let value = match op {
                    BinaryOp::Add => left.wrapping_add(right),
                    BinaryOp::Subtract => left.wrapping_sub(right),
                    BinaryOp::Multiply => left.wrapping_mul(right),
                    BinaryOp::ShiftLeft => left.checked_shl(u32::try_from(right).ok()?)?,
                    BinaryOp::ShiftRight => left.checked_shr(u32::try_from(right).ok()?)?,
                    _ => return self.fold(op, left, right, ty).map(Value::Int),
                };
                Some(Value::Int(self.wrapped(value, ty)))
            }
            (Value::Float(left, kind), Value::Float(right, _)) => {
                if let Some(bits) = floats::arithmetic(op, left, right, kind) {
                    return Some(Value::Float(bits, kind));
                }
                let order = floats::compare(left, right, kind);
                Some(Value::Int(i128::from(compare(op, order))))
            }
            _ => None,
        }
    }
}

fn compare(op: BinaryOp, order: Option<Ordering>) -> bool {
    match op {
        BinaryOp::Less => order == Some(Ordering::Less),
        BinaryOp::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinaryOp::Greater => order == Some(Ordering::Greater),
        BinaryOp::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        BinaryOp::Equal => order == Some(Ordering::Equal),
        _ => order != Some(Ordering::Equal),
    }
}
