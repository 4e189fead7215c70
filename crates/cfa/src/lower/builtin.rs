//! Operations that have no C syntax.

use super::{Lowering, hir};
use crate::program::*;
use base::Span;
use sema::hir::{Builtin, ExprKind as HirKind};
use sema::types::TypeId;

impl Lowering<'_> {
    /// Lowers a builtin; what it returns means something only if the value is `wanted`.
    pub(super) fn builtin(&mut self, expr: hir::ExprId, wanted: bool) -> ExprId {
        let hir = self.hir;
        let hir::Expr { kind, ty, span } = hir.exprs[expr];
        let HirKind::Builtin { builtin, arguments } = kind else { return self.value(expr) };
        let arguments = &hir.expr_lists[arguments];
        match (builtin, arguments) {
            (Builtin::VaStart, &[list, ..]) => self.va_edge(|list| EdgeKind::VaStart { list }, list, span),
            (Builtin::VaEnd, &[list, ..]) => self.va_edge(|list| EdgeKind::VaEnd { list }, list, span),
            (Builtin::VaCopy, &[target, list]) => {
                let target = self.lvalue(target);
                self.va_edge(|list| EdgeKind::VaCopy { target, list }, list, span)
            }
            (Builtin::Unreachable, _) => {
                self.drop_path(span);
                self.no_value(span)
            }
            (Builtin::Trap, _) => {
                self.trap(span);
                self.no_value(span)
            }
            (Builtin::Alloca, &[size, ..]) => self.alloca(size, ty, span),
            (Builtin::AddOverflow, &[..]) => {
                let lost = self.overflow(BinaryOp::Add, arguments, wanted, span);
                self.cast(lost, ty, span)
            }
            (Builtin::SubtractOverflow, &[..]) => {
                let lost = self.overflow(BinaryOp::Subtract, arguments, wanted, span);
                self.cast(lost, ty, span)
            }
            (Builtin::MultiplyOverflow, &[..]) => {
                let lost = self.overflow(BinaryOp::Multiply, arguments, wanted, span);
                self.cast(lost, ty, span)
            }
            (Builtin::FloatClassify, &[..]) => self.classify(arguments, ty, span),
            (Builtin::InfinitySign, &[operand]) => self.infinity_sign(operand, span),
            (Builtin::SomeAddress, _) => self.any_value(ty, span),
            (_, &[operand]) => match intrinsic(builtin) {
                Some(intrinsic) => {
                    let operand = self.value(operand);
                    self.expr(ExprKind::Intrinsic { intrinsic, operand }, ty, span)
                }
                None => self.unsupported("builtin function", ty, span),
            },
            (_, &[_, _]) => match float_compare(builtin) {
                Some(compare) => {
                    let values = self.values(arguments);
                    let (left, right) = (values[0], values[1]);
                    self.expr(ExprKind::FloatCompare { compare, left, right }, ty, span)
                }
                None => self.unsupported("builtin function", ty, span),
            },
            _ => self.unsupported("builtin function", ty, span),
        }
    }

    fn no_value(&mut self, span: Span) -> ExprId {
        self.int(0, TypeId::INT, span)
    }

    fn va_edge(&mut self, edge: impl FnOnce(PlaceId) -> EdgeKind, list: hir::ExprId, span: Span) -> ExprId {
        let list = self.lvalue(list);
        self.draft.emit(edge(list), span);
        self.no_value(span)
    }

    /// `*result = left op right`, truncated; yields whether that lost anything.
    fn overflow(&mut self, op: BinaryOp, arguments: &[hir::ExprId], wanted: bool, span: Span) -> ExprId {
        let values = self.values(arguments);
        let &[left, right, pointer] = &values[..] else {
            return self.unsupported("builtin function", TypeId::INT, span);
        };
        let Some(ty) = self.program.types.pointee(self.type_of(pointer)).map(TypeId::unqualified) else {
            return self.unsupported("builtin function", TypeId::INT, span);
        };
        let lost = ExprKind::Overflows { op, left, right, result: ty };
        let lost = self.expr(lost, TypeId::INT, span);
        // The store may change what the operands read.
        let lost = if wanted { self.save(lost) } else { lost };
        let wide = self.unsigned_at_least_int(ty);
        let left = self.cast(left, wide, span);
        let right = self.cast(right, wide, span);
        let value = self.binary(op, [left, right], wide, span);
        let value = self.cast(value, ty, span);
        let target = self.pointed_place(pointer, ty);
        self.draft.emit(EdgeKind::Assign { target, value }, span);
        lost
    }

    /// What a pointer value points to; `x` for `&x`.
    fn pointed_place(&mut self, pointer: ExprId, ty: TypeId) -> PlaceId {
        match self.program.exprs[pointer].kind {
            ExprKind::AddressOf(place) if self.program.places[place].ty.unqualified() == ty => place,
            _ => self.place(super::build::Path::new(PlaceBase::Dereference(pointer), ty)),
        }
    }

    /// The unsigned type in which arithmetic is exact modulo the range of an integer type.
    fn unsigned_at_least_int(&self, ty: TypeId) -> TypeId {
        match self.program.types.int_shape(ty).map_or(32, |shape| shape.width) {
            0..=32 => TypeId::UNSIGNED_INT,
            33..=64 => TypeId::UNSIGNED_LONG_LONG,
            _ => TypeId::UNSIGNED_INT128,
        }
    }

    /// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, value)`
    fn classify(&mut self, arguments: &[hir::ExprId], ty: TypeId, span: Span) -> ExprId {
        let values: Vec<ExprId> = self.values(arguments).into_iter().map(|value| self.save(value)).collect();
        let &[nan, infinite, normal, subnormal, zero, operand] = &values[..] else {
            return self.unsupported("builtin function", ty, span);
        };
        let mut result = normal;
        for (intrinsic, class) in [
            (Intrinsic::IsSubnormal, subnormal),
            (Intrinsic::IsZero, zero),
            (Intrinsic::IsInfinite, infinite),
            (Intrinsic::IsNan, nan),
        ] {
            let test = self.expr(ExprKind::Intrinsic { intrinsic, operand }, TypeId::INT, span);
            result = self.conditional(test, class, result, span);
        }
        result
    }

    fn infinity_sign(&mut self, operand: hir::ExprId, span: Span) -> ExprId {
        let operand = self.value(operand);
        let operand = if self.is_trivial(operand) { operand } else { self.save(operand) };
        let mut test = |intrinsic| self.expr(ExprKind::Intrinsic { intrinsic, operand }, TypeId::INT, span);
        let (infinite, negative) = (test(Intrinsic::IsInfinite), test(Intrinsic::SignBit));
        let [minus, plus, none] = [-1, 1, 0].map(|sign| self.int(sign, TypeId::INT, span));
        let sign = self.conditional(negative, minus, plus, span);
        self.conditional(infinite, sign, none, span)
    }
}

fn intrinsic(builtin: Builtin) -> Option<Intrinsic> {
    Some(match builtin {
        Builtin::CountLeadingZeros => Intrinsic::CountLeadingZeros,
        Builtin::CountTrailingZeros => Intrinsic::CountTrailingZeros,
        Builtin::CountLeadingSignBits => Intrinsic::CountLeadingSignBits,
        Builtin::PopulationCount => Intrinsic::PopulationCount,
        Builtin::Parity => Intrinsic::Parity,
        Builtin::FindFirstSet => Intrinsic::FindFirstSet,
        Builtin::ByteSwap => Intrinsic::ByteSwap,
        Builtin::IsNan => Intrinsic::IsNan,
        Builtin::IsInfinite => Intrinsic::IsInfinite,
        Builtin::IsFinite => Intrinsic::IsFinite,
        Builtin::IsNormal => Intrinsic::IsNormal,
        Builtin::SignBit => Intrinsic::SignBit,
        _ => return None,
    })
}

fn float_compare(builtin: Builtin) -> Option<FloatCompare> {
    Some(match builtin {
        Builtin::IsGreater => FloatCompare::Greater,
        Builtin::IsGreaterEqual => FloatCompare::GreaterEqual,
        Builtin::IsLess => FloatCompare::Less,
        Builtin::IsLessEqual => FloatCompare::LessEqual,
        Builtin::IsLessGreater => FloatCompare::LessGreater,
        Builtin::IsUnordered => FloatCompare::Unordered,
        _ => return None,
    })
}
