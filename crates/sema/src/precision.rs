//! Bit-fields that are wider than `int`, as gcc computes with them.
//!
//! To gcc, the type of such a bit-field is an integer of exactly its width: with
//! `unsigned long long a : 40`, both `a << 8` and `a + 1` wrap at 40 bits, and `a + 1LL` is signed,
//! as `long long` is the wider one. Here the values are of the declared type and always fit the
//! width: what is converted or computed to the width is cut to it. The width of an expression is
//! known from the bit-field that it loads, or noted when it is computed.

use crate::context::Analyzer;
use crate::conversions::unsigned_of;
use crate::hir::{BinaryOp, ExprId, ExprKind};
use crate::types::TypeId;

/// What the usual arithmetic conversions convert two operands to.
#[derive(Clone, Copy, Debug)]
pub struct CommonType {
    pub ty: TypeId,
    /// If it is not that of the type.
    pub width: Option<u32>,
}

impl Analyzer<'_> {
    /// The width of an integer expression, if it is that of a bit-field wider than `int`.
    pub fn precision(&self, expr: ExprId) -> Option<u32> {
        match self.kind(expr) {
            ExprKind::Comma { right, .. } => return self.precision(right),
            ExprKind::Statement { value: Some(value), .. } => return self.precision(value),
            _ => {}
        }
        if let Some(&width) = self.precisions.get(&expr) {
            return Some(width);
        }
        let width = self.bit_field(expr)?.width;
        (width > 32 && width < self.shape(self.type_of(expr)).width).then_some(width)
    }

    /// The wider operand decides, then the unsigned one.
    pub fn usual_conversion(&self, left: ExprId, right: ExprId) -> CommonType {
        let widths = (self.precision(left), self.precision(right));
        let ty = self.common_type(left, right);
        if widths == (None, None) || !self.types().is_integer(ty) {
            return CommonType { ty, width: None };
        }
        let side = |expr, precise: Option<u32>| {
            let ty = self.promoted_type(expr);
            let shape = self.shape(ty);
            (precise.unwrap_or(shape.width), !shape.signed, CommonType { ty, width: precise })
        };
        let (left, right) = (side(left, widths.0), side(right, widths.1));
        if (right.0, right.1) > (left.0, left.1) { right.2 } else { left.2 }
    }

    /// The value of an operand in the common type.
    pub fn fit(&mut self, value: ExprId, common: CommonType) -> ExprId {
        let from = self.shape(self.promoted_type(value));
        let width = self.precision(value).unwrap_or(from.width);
        let result = self.cast(value, common.ty, self.span_of(value));
        let Some(wanted) = common.width else { return self.forget(result) };
        let signed = self.shape(common.ty).signed;
        let fits = match (from.signed, signed) {
            (true, false) => false,
            (false, true) => width < wanted,
            _ => width <= wanted,
        };
        if fits { self.note(result, wanted) } else { self.cut(result, wanted) }
    }

    /// The result of an operation on operands of that width.
    pub fn result_of(&mut self, op: BinaryOp, result: ExprId, width: Option<u32>) -> ExprId {
        use BinaryOp::*;
        match (op, width) {
            (_, None) | (Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual, _) => result,
            (BitAnd | BitXor | BitOr | Remainder | ShiftRight, Some(width)) => self.note(result, width),
            (Add | Subtract | Multiply | Divide | ShiftLeft, Some(width)) => self.cut(result, width),
        }
    }

    /// The lowest bits of a value, as a number of that width.
    pub fn cut(&mut self, value: ExprId, width: u32) -> ExprId {
        let (ty, span) = (self.type_of(value).unqualified(), self.span_of(value));
        let shape = self.shape(ty);
        let unused = self.int(i128::from(shape.width - width), TypeId::INT, span);
        // Shifted up without a sign, so that nothing overflows, and down with it.
        let bits = self.cast(value, unsigned_of(ty), span);
        let high = self.binary(BinaryOp::ShiftLeft, bits, unused, unsigned_of(ty), span);
        let high = self.cast(high, ty, span);
        let result = self.binary(BinaryOp::ShiftRight, high, unused, ty, span);
        self.note(result, width)
    }

    /// A value of its type's own width, where the expression says otherwise.
    fn forget(&mut self, value: ExprId) -> ExprId {
        if self.precision(value).is_none() {
            return value;
        }
        self.make(ExprKind::Cast(value), self.type_of(value).unqualified(), self.span_of(value))
    }

    pub fn note(&mut self, value: ExprId, width: u32) -> ExprId {
        self.precisions.insert(value, width);
        value
    }
}
