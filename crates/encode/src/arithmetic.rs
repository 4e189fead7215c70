//! Operators on values, and what can go wrong in them.

use crate::convert::Shape;
use crate::encoder::Encoder;
use crate::state::State;
use crate::{Check, Unsupported};
use base::Span;
use cfa::{BinaryOp, FloatCompare, Intrinsic, UnaryOp};
use sema::types::{IntShape, TypeId};
use term::{TermId, TermPool};

impl Encoder<'_> {
    pub(crate) fn unary(
        &mut self,
        state: &State,
        op: UnaryOp,
        operand: TermId,
        ty: TypeId,
        span: Span,
    ) -> Result<TermId, Unsupported> {
        match (op, self.shape(ty)?) {
            (UnaryOp::LogicalNot, _) => {
                let truth = self.is_nonzero(operand);
                let negated = self.pool.not(truth);
                Ok(self.truth(negated))
            }
            (UnaryOp::Negate, Shape::Float(_)) => Ok(self.pool.float_neg(operand)),
            (UnaryOp::Negate, Shape::Int(shape)) => {
                if shape.signed && self.checks(Check::SignedOverflow) {
                    let lowest = self.lowest(shape.width);
                    let overflows = self.pool.eq(operand, lowest);
                    self.oblige(state, Check::SignedOverflow, overflows, span);
                }
                Ok(self.pool.neg(operand))
            }
            (UnaryOp::BitNot, Shape::Int(_)) => Ok(self.pool.bit_not(operand)),
            _ => Err(Unsupported("an operator on this type")),
        }
    }

    fn lowest(&mut self, width: u32) -> TermId {
        let value = term::BitVec::signed_min(width);
        self.pool.bitvec_constant(&value)
    }

    /// Operands of type `operands`, which is also the result's unless it is a comparison.
    pub(crate) fn binary(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        left: TermId,
        right: TermId,
        operands: TypeId,
        span: Span,
    ) -> Result<TermId, Unsupported> {
        if let Some(condition) = self.comparison(op, left, right, operands)? {
            return Ok(self.truth(condition));
        }
        match self.shape(operands)? {
            Shape::Float(_) => self.float_binary(op, left, right),
            Shape::Bool => Err(Unsupported("arithmetic on _Bool")),
            Shape::Int(shape) => {
                self.check_arithmetic(state, op, left, right, shape.signed, span);
                if self.is_any_product(op, left, right) {
                    let sort = self.pool.sort(left);
                    return Ok(self.pool.fresh_variable("product", sort));
                }
                Ok(self.integer_binary(op, left, right, shape.signed))
            }
        }
    }

    fn integer_binary(&mut self, op: BinaryOp, left: TermId, right: TermId, signed: bool) -> TermId {
        let pool = &mut self.pool;
        match (op, signed) {
            (BinaryOp::Add, _) => pool.add(left, right),
            (BinaryOp::Subtract, _) => pool.sub(left, right),
            (BinaryOp::Multiply, _) => pool.mul(left, right),
            (BinaryOp::Divide, true) => pool.sdiv(left, right),
            (BinaryOp::Divide, false) => pool.udiv(left, right),
            (BinaryOp::Remainder, true) => pool.srem(left, right),
            (BinaryOp::Remainder, false) => pool.urem(left, right),
            (BinaryOp::BitAnd, _) => pool.bit_and(left, right),
            (BinaryOp::BitXor, _) => pool.bit_xor(left, right),
            (BinaryOp::BitOr, _) => pool.bit_or(left, right),
            (BinaryOp::ShiftLeft, _) => pool.shl(left, right),
            (BinaryOp::ShiftRight, true) => pool.ashr(left, right),
            (BinaryOp::ShiftRight, false) => pool.lshr(left, right),
            _ => unreachable!("comparisons are not arithmetic"),
        }
    }

    fn float_binary(&mut self, op: BinaryOp, left: TermId, right: TermId) -> Result<TermId, Unsupported> {
        match op {
            BinaryOp::Add => Ok(self.rounded(|pool, mode| pool.float_add(mode, left, right))),
            BinaryOp::Subtract => Ok(self.rounded(|pool, mode| pool.float_sub(mode, left, right))),
            BinaryOp::Multiply => Ok(self.rounded(|pool, mode| pool.float_mul(mode, left, right))),
            BinaryOp::Divide => Ok(self.rounded(|pool, mode| pool.float_div(mode, left, right))),
            _ => Err(Unsupported("an operator on floats")),
        }
    }

    /// A comparison as a Boolean term; `None` for other operators.
    pub(crate) fn comparison(
        &mut self,
        op: BinaryOp,
        left: TermId,
        right: TermId,
        operands: TypeId,
    ) -> Result<Option<TermId>, Unsupported> {
        if !is_comparison(op) {
            return Ok(None);
        }
        let signed = match self.shape(operands)? {
            Shape::Float(_) => return Ok(Some(self.float_comparison(op, left, right))),
            Shape::Int(shape) => shape.signed,
            Shape::Bool => false,
        };
        let pool = &mut self.pool;
        let condition = match (op, signed) {
            (BinaryOp::Less, true) => pool.slt(left, right),
            (BinaryOp::Less, false) => pool.ult(left, right),
            (BinaryOp::LessEqual, true) => pool.sle(left, right),
            (BinaryOp::LessEqual, false) => pool.ule(left, right),
            (BinaryOp::Greater, true) => pool.slt(right, left),
            (BinaryOp::Greater, false) => pool.ult(right, left),
            (BinaryOp::GreaterEqual, true) => pool.sle(right, left),
            (BinaryOp::GreaterEqual, false) => pool.ule(right, left),
            (BinaryOp::Equal, _) => pool.eq(left, right),
            _ => {
                let equal = pool.eq(left, right);
                pool.not(equal)
            }
        };
        Ok(Some(condition))
    }

    fn float_comparison(&mut self, op: BinaryOp, left: TermId, right: TermId) -> TermId {
        let pool = &mut self.pool;
        match op {
            BinaryOp::Less => pool.float_lt(left, right),
            BinaryOp::LessEqual => pool.float_le(left, right),
            BinaryOp::Greater => pool.float_lt(right, left),
            BinaryOp::GreaterEqual => pool.float_le(right, left),
            BinaryOp::Equal => pool.float_eq(left, right),
            _ => {
                let equal = pool.float_eq(left, right);
                pool.not(equal)
            }
        }
    }

    /// Shift counts are taken modulo the width, as x86 does; another width of the count is converted.
    pub(crate) fn shift(
        &mut self,
        state: &State,
        op: BinaryOp,
        left: TermId,
        count: TermId,
        ty: TypeId,
        span: Span,
    ) -> Result<TermId, Unsupported> {
        let Shape::Int(shape) = self.shape(ty)? else { return Err(Unsupported("a shift of this type")) };
        if self.checks(Check::ShiftRange) || self.checks(Check::SignedOverflow) {
            self.check_shift(state, op, left, count, shape, span);
        }
        let count = self.shift_count(count, shape);
        Ok(self.integer_binary(op, left, count, shape.signed))
    }

    fn shift_count(&mut self, count: TermId, shape: IntShape) -> TermId {
        let count = self.pool.resize_unsigned(count, shape.width);
        let mask = self.pool.bitvec(shape.width, u64::from(shape.width - 1));
        self.pool.bit_and(count, mask)
    }

    fn check_shift(
        &mut self,
        state: &State,
        op: BinaryOp,
        left: TermId,
        count: TermId,
        shape: IntShape,
        span: Span,
    ) {
        let limit = self.pool.bitvec(self.pool.width(count), u64::from(shape.width));
        let inside = self.pool.ult(count, limit);
        let outside = self.pool.not(inside);
        self.oblige(state, Check::ShiftRange, outside, span);
        if op == BinaryOp::ShiftLeft && shape.signed {
            let count = self.shift_count(count, shape);
            let loses = self.pool.signed_shl_overflows(left, count);
            // All digits of anything but 0 are lost.
            let nonzero = self.is_nonzero(left);
            let overflows = self.pool.ite(inside, loses, nonzero);
            self.oblige(state, Check::SignedOverflow, overflows, span);
        }
    }

    fn check_arithmetic(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        left: TermId,
        right: TermId,
        signed: bool,
        span: Span,
    ) {
        let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
        if divides {
            let nonzero = self.is_nonzero(right);
            let zero = self.pool.not(nonzero);
            self.oblige(state, Check::DivisionByZero, zero, span);
            self.restrict(state, nonzero);
        }
        if signed && self.checks(Check::SignedOverflow) {
            let overflows = self.signed_overflow(op, left, right);
            self.oblige(state, Check::SignedOverflow, overflows, span);
        }
    }

    /// Whether the result does not fit the operands' own signed type.
    fn signed_overflow(&mut self, op: BinaryOp, left: TermId, right: TermId) -> TermId {
        match op {
            BinaryOp::Add => self.pool.signed_add_overflows(left, right),
            BinaryOp::Subtract => self.pool.signed_sub_overflows(left, right),
            BinaryOp::Multiply => self.pool.signed_mul_overflows(left, right),
            BinaryOp::Divide | BinaryOp::Remainder => self.pool.signed_div_overflows(left, right),
            _ => TermPool::FALSE,
        }
    }

    /// Whether the exact result of an operation does not fit a type of that width and sign.
    pub(crate) fn misfits(
        &mut self,
        op: BinaryOp,
        (left, left_signed): (TermId, bool),
        (right, right_signed): (TermId, bool),
        (width, signed): (u32, bool),
    ) -> TermId {
        let widest = self.pool.width(left).max(self.pool.width(right)) + 1;
        let exact = match op {
            BinaryOp::Multiply => 2 * widest,
            _ => widest + 1,
        };
        let exact = exact.max(width + 1);
        let extend = |this: &mut Self, term, signed| {
            if signed { this.pool.resize_signed(term, exact) } else { this.pool.resize_unsigned(term, exact) }
        };
        let left = extend(self, left, left_signed);
        let right = extend(self, right, right_signed);
        let result = self.integer_binary(op, left, right, true);
        let low = self.pool.extract(result, width - 1, 0);
        let back = extend(self, low, signed);
        let fits = self.pool.eq(back, result);
        self.pool.not(fits)
    }

    pub(crate) fn float_compare(&mut self, compare: FloatCompare, left: TermId, right: TermId) -> TermId {
        let pool = &mut self.pool;
        match compare {
            FloatCompare::Greater => pool.float_lt(right, left),
            FloatCompare::GreaterEqual => pool.float_le(right, left),
            FloatCompare::Less => pool.float_lt(left, right),
            FloatCompare::LessEqual => pool.float_le(left, right),
            FloatCompare::LessGreater => {
                let (less, greater) = (pool.float_lt(left, right), pool.float_lt(right, left));
                pool.or(less, greater)
            }
            FloatCompare::Unordered => {
                let (left, right) = (pool.float_is_nan(left), pool.float_is_nan(right));
                pool.or(left, right)
            }
        }
    }

    pub(crate) fn intrinsic(&mut self, intrinsic: Intrinsic, operand: TermId) -> Result<TermId, Unsupported> {
        use Intrinsic::*;
        let pool = &mut self.pool;
        let condition = match intrinsic {
            IsNan => pool.float_is_nan(operand),
            IsInfinite => pool.float_is_infinite(operand),
            IsNormal => pool.float_is_normal(operand),
            IsSubnormal => pool.float_is_subnormal(operand),
            IsZero => pool.float_is_zero(operand),
            IsFinite => {
                let (nan, infinite) = (pool.float_is_nan(operand), pool.float_is_infinite(operand));
                let either = pool.or(nan, infinite);
                pool.not(either)
            }
            SignBit => crate::float::has_sign(pool, operand),
            CountLeadingZeros => return Ok(self.leading_zeros(operand)),
            CountTrailingZeros => return Ok(self.trailing_zeros(operand)),
            CountLeadingSignBits => return Ok(self.leading_sign_bits(operand)),
            PopulationCount => return Ok(self.population(operand, 32)),
            Parity => {
                let count = self.population(operand, 32);
                let bit = self.pool.extract(count, 0, 0);
                return Ok(self.pool.resize_unsigned(bit, 32));
            }
            FindFirstSet => {
                let zeros = self.trailing_zeros(operand);
                let one = self.pool.bitvec(32, 1);
                let position = self.pool.add(zeros, one);
                let nonzero = self.is_nonzero(operand);
                let none = self.pool.bitvec(32, 0);
                return Ok(self.pool.ite(nonzero, position, none));
            }
            ByteSwap => return Ok(self.byte_swap(operand)),
        };
        Ok(self.truth(condition))
    }

    /// The position of the first bit that is set, in the given order of positions.
    fn first_set(&mut self, operand: TermId, positions: impl Iterator<Item = u32>) -> TermId {
        let width = self.pool.width(operand);
        let mut count = self.pool.bitvec(32, u64::from(width));
        let positions: Vec<u32> = positions.collect();
        for (rank, &position) in positions.iter().enumerate().rev() {
            let bit = self.pool.bit(operand, position);
            let rank = self.pool.bitvec(32, rank as u64);
            count = self.pool.ite(bit, rank, count);
        }
        count
    }

    fn leading_zeros(&mut self, operand: TermId) -> TermId {
        let width = self.pool.width(operand);
        self.first_set(operand, (0..width).rev())
    }

    fn trailing_zeros(&mut self, operand: TermId) -> TermId {
        let width = self.pool.width(operand);
        self.first_set(operand, 0..width)
    }

    fn leading_sign_bits(&mut self, operand: TermId) -> TermId {
        let width = self.pool.width(operand);
        let by = self.pool.bitvec(width, u64::from(width - 1));
        let sign = self.pool.ashr(operand, by);
        let magnitude = self.pool.bit_xor(operand, sign);
        let zeros = self.leading_zeros(magnitude);
        let one = self.pool.bitvec(32, 1);
        self.pool.sub(zeros, one)
    }

    fn population(&mut self, operand: TermId, result: u32) -> TermId {
        let mut count = self.pool.bitvec(result, 0);
        for position in 0..self.pool.width(operand) {
            let bit = self.pool.extract(operand, position, position);
            let bit = self.pool.resize_unsigned(bit, result);
            count = self.pool.add(count, bit);
        }
        count
    }

    fn byte_swap(&mut self, operand: TermId) -> TermId {
        let bytes = self.pool.width(operand) / 8;
        let mut swapped = self.pool.extract(operand, 7, 0);
        for byte in 1..bytes {
            let next = self.pool.extract(operand, 8 * byte + 7, 8 * byte);
            swapped = self.pool.concat(swapped, next);
        }
        swapped
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
}
