//! Floats: constants are folded, and the few identities that IEEE 754 has are used.

use crate::float::FloatValue;
use crate::op::{Op, RoundingMode};
use crate::pool::{TermId, TermPool};
use crate::sort::{FloatFormat, Sort};
use std::cmp::Ordering;

impl TermPool {
    /// The value of both operands, if they are constants.
    fn float_values(&self, a: TermId, b: TermId) -> Option<(FloatValue, FloatValue)> {
        Some((self.float_value(a)?, self.float_value(b)?))
    }

    fn float_one(&self, term: TermId) -> bool {
        self.float_value(term).is_some_and(|value| {
            value == FloatValue::from_integer(value.format(), &1.into(), RoundingMode::NearestEven)
        })
    }

    pub fn float_nan(&mut self, format: FloatFormat) -> TermId {
        self.float_constant(&FloatValue::nan(format))
    }

    pub fn float_add(&mut self, mode: RoundingMode, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        if let Some((x, y)) = self.float_values(a, b) {
            return self.float_constant(&x.add(&y, mode));
        }
        let (a, b) = self.ordered(a, b);
        if self.float_value(b).is_some_and(|value| value.is_nan()) {
            return b;
        }
        self.intern_rounded(Op::FloatAdd, mode, self.sort(a), [a, b])
    }

    pub fn float_sub(&mut self, mode: RoundingMode, a: TermId, b: TermId) -> TermId {
        let minus_b = self.float_neg(b);
        self.float_add(mode, a, minus_b)
    }

    pub fn float_mul(&mut self, mode: RoundingMode, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        if let Some((x, y)) = self.float_values(a, b) {
            return self.float_constant(&x.mul(&y, mode));
        }
        let (a, b) = self.ordered(a, b);
        if self.float_one(b) {
            return a;
        }
        if self.float_value(b).is_some_and(|value| value.is_nan()) {
            return b;
        }
        self.intern_rounded(Op::FloatMul, mode, self.sort(a), [a, b])
    }

    pub fn float_div(&mut self, mode: RoundingMode, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        if let Some((x, y)) = self.float_values(a, b) {
            return self.float_constant(&x.div(&y, mode));
        }
        if self.float_one(b) {
            return a;
        }
        self.intern_rounded(Op::FloatDiv, mode, self.sort(a), [a, b])
    }

    /// `a * b + c`, rounded once.
    pub fn float_fma(&mut self, mode: RoundingMode, a: TermId, b: TermId, c: TermId) -> TermId {
        self.assert_same_sort(a, b);
        self.assert_same_sort(a, c);
        if let (Some((x, y)), Some(z)) = (self.float_values(a, b), self.float_value(c)) {
            return self.float_constant(&x.fma(&y, &z, mode));
        }
        let (a, b) = self.ordered(a, b);
        if self.float_one(b) {
            return self.float_add(mode, a, c);
        }
        self.intern_rounded(Op::FloatFma, mode, self.sort(a), [a, b, c])
    }

    pub fn float_sqrt(&mut self, mode: RoundingMode, a: TermId) -> TermId {
        match self.float_value(a) {
            Some(value) => self.float_constant(&value.sqrt(mode)),
            None => self.intern_rounded(Op::FloatSqrt, mode, self.sort(a), [a]),
        }
    }

    /// IEEE 754 remainder (C's `remainder`), see [`Op::FloatRem`].
    pub fn float_rem(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        match self.float_values(a, b) {
            Some((x, y)) => self.float_constant(&x.rem(&y)),
            None => self.intern(Op::FloatRem, self.sort(a), [a, b]),
        }
    }

    /// C's `fmod`: the remainder of truncating division, with the sign of `a`.
    pub fn float_fmod(&mut self, a: TermId, b: TermId) -> TermId {
        let (size_a, size_b) = (self.float_abs(a), self.float_abs(b));
        let nearest = self.float_rem(size_a, size_b);
        // The nearest quotient was one too large. The sum is exact.
        let negative = self.float_is_negative(nearest);
        let corrected = self.float_add(RoundingMode::NearestEven, nearest, size_b);
        let size = self.ite(negative, corrected, nearest);
        let size = self.float_abs(size);
        let negated = self.float_neg(size);
        let negative = self.float_is_negative(a);
        self.ite(negative, negated, size)
    }

    pub fn float_round_to_integral(&mut self, mode: RoundingMode, a: TermId) -> TermId {
        if self.op(a) == Op::FloatRoundToIntegral {
            return a;
        }
        match self.float_value(a) {
            Some(value) => self.float_constant(&value.round_to_integral(mode)),
            None => self.intern_rounded(Op::FloatRoundToIntegral, mode, self.sort(a), [a]),
        }
    }

    pub fn float_neg(&mut self, a: TermId) -> TermId {
        if let Some(value) = self.float_value(a) {
            return self.float_constant(&value.neg());
        }
        match self.operand(a, Op::FloatNeg) {
            Some(inner) => inner,
            None => self.intern(Op::FloatNeg, self.sort(a), [a]),
        }
    }

    pub fn float_abs(&mut self, a: TermId) -> TermId {
        if let Some(value) = self.float_value(a) {
            return self.float_constant(&value.abs());
        }
        match self.op(a) {
            Op::FloatAbs => a,
            Op::FloatNeg => self.float_abs(self.child(a, 0)),
            _ => self.intern(Op::FloatAbs, self.sort(a), [a]),
        }
    }

    /// IEEE 754 equality, C's `==`.
    pub fn float_eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_compare(Op::FloatEq, a, b)
    }

    pub fn float_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_compare(Op::FloatLt, a, b)
    }

    pub fn float_le(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_compare(Op::FloatLe, a, b)
    }

    fn float_compare(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        if let Some((x, y)) = self.float_values(a, b) {
            let order = x.compare(&y);
            return self.truth(match op {
                Op::FloatEq => order == Some(Ordering::Equal),
                Op::FloatLt => order == Some(Ordering::Less),
                _ => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            });
        }
        let nan = |term| self.float_value(term).is_some_and(|value| value.is_nan());
        if nan(a) || nan(b) {
            return Self::FALSE;
        }
        if a == b {
            let nan = self.float_is_nan(a);
            return if op == Op::FloatLt { Self::FALSE } else { self.not(nan) };
        }
        if let Some((x, y)) = self.widened_alike(a, b) {
            return self.float_compare(op, x, y);
        }
        let (a, b) = if op == Op::FloatEq { self.ordered(a, b) } else { (a, b) };
        self.intern(op, Sort::Bool, [a, b])
    }

    /// Both are conversions of one format into a larger one.
    fn widened_alike(&self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        let (x, y) = (self.operand(a, Op::FloatFromFloat)?, self.operand(b, Op::FloatFromFloat)?);
        (self.sort(x) == self.sort(y) && self.is_widening(x, a)).then_some((x, y))
    }

    fn is_widening(&self, from: TermId, to: TermId) -> bool {
        let (from, to) = (self.format(from), self.format(to));
        from.exponent <= to.exponent && from.significand <= to.significand
    }

    pub fn float_is_nan(&mut self, a: TermId) -> TermId {
        self.float_classified(Op::FloatIsNan, a, FloatValue::is_nan)
    }

    pub fn float_is_infinite(&mut self, a: TermId) -> TermId {
        self.float_classified(Op::FloatIsInfinite, a, FloatValue::is_infinite)
    }

    pub fn float_is_zero(&mut self, a: TermId) -> TermId {
        self.float_classified(Op::FloatIsZero, a, FloatValue::is_zero)
    }

    pub fn float_is_normal(&mut self, a: TermId) -> TermId {
        self.float_classified(Op::FloatIsNormal, a, FloatValue::is_normal)
    }

    pub fn float_is_subnormal(&mut self, a: TermId) -> TermId {
        self.float_classified(Op::FloatIsSubnormal, a, FloatValue::is_subnormal)
    }

    /// The sign bit is set, and it is not a NaN.
    pub fn float_is_negative(&mut self, a: TermId) -> TermId {
        self.float_classified(Op::FloatIsNegative, a, FloatValue::is_negative)
    }

    fn float_classified(&mut self, op: Op, a: TermId, test: fn(&FloatValue) -> bool) -> TermId {
        if let Some(value) = self.float_value(a) {
            return self.truth(test(&value));
        }
        match self.op(a) {
            Op::FloatAbs if op == Op::FloatIsNegative => Self::FALSE,
            Op::FloatAbs | Op::FloatNeg if op != Op::FloatIsNegative => {
                self.float_classified(op, self.child(a, 0), test)
            }
            Op::FloatFromSigned | Op::FloatFromUnsigned if op == Op::FloatIsNan => Self::FALSE,
            _ => self.intern(op, Sort::Bool, [a]),
        }
    }

    /// The float with these packed bits.
    pub fn float_from_bits(&mut self, format: FloatFormat, bits: TermId) -> TermId {
        assert_eq!(self.width(bits), format.width(), "bits of a float");
        if let Some(bits) = self.bitvec_value(bits) {
            return self.float_constant(&FloatValue::from_bits(format, bits));
        }
        match self.operand(bits, Op::FloatToBits) {
            Some(float) if self.sort(float) == Sort::Float(format) => float,
            _ => self.intern(Op::FloatFromBits, Sort::Float(format), [bits]),
        }
    }

    /// The packed bits; those of a NaN are the positive quiet NaN without payload.
    pub fn float_to_bits(&mut self, a: TermId) -> TermId {
        match self.float_value(a) {
            Some(value) => self.bitvec_constant(value.bits()),
            None => self.intern(Op::FloatToBits, Sort::BitVec(self.format(a).width()), [a]),
        }
    }

    /// The same number in another format.
    pub fn float_to_float(&mut self, mode: RoundingMode, format: FloatFormat, a: TermId) -> TermId {
        if self.format(a) == format {
            return a;
        }
        if let Some(value) = self.float_value(a) {
            return self.float_constant(&value.to_format(format, mode));
        }
        if let Some(inner) = self.operand(a, Op::FloatFromFloat)
            && self.is_widening(inner, a)
        {
            return self.float_to_float(mode, format, inner);
        }
        self.intern_rounded(Op::FloatFromFloat, mode, Sort::Float(format), [a])
    }

    pub fn float_from_signed(&mut self, mode: RoundingMode, format: FloatFormat, a: TermId) -> TermId {
        if let Some(value) = self.bitvec_value(a) {
            return self.float_constant(&FloatValue::from_integer(format, &value.to_signed(), mode));
        }
        let a = self.operand(a, Op::SignExtend).unwrap_or(a);
        self.intern_rounded(Op::FloatFromSigned, mode, Sort::Float(format), [a])
    }

    pub fn float_from_unsigned(&mut self, mode: RoundingMode, format: FloatFormat, a: TermId) -> TermId {
        if let Some(value) = self.bitvec_value(a) {
            return self.float_constant(&FloatValue::from_integer(format, &value.to_big().into(), mode));
        }
        self.intern_rounded(Op::FloatFromUnsigned, mode, Sort::Float(format), [a])
    }

    /// The number as a signed integer; 0 if it does not fit.
    pub fn float_to_signed(&mut self, mode: RoundingMode, width: u32, a: TermId) -> TermId {
        match self.float_value(a) {
            Some(value) => self.bitvec_constant(&value.to_signed(width, mode)),
            None => self.intern_rounded(Op::FloatToSigned, mode, Sort::BitVec(width), [a]),
        }
    }

    /// The number as an unsigned integer; 0 if it does not fit.
    pub fn float_to_unsigned(&mut self, mode: RoundingMode, width: u32, a: TermId) -> TermId {
        match self.float_value(a) {
            Some(value) => self.bitvec_constant(&value.to_unsigned(width, mode)),
            None => self.intern_rounded(Op::FloatToUnsigned, mode, Sort::BitVec(width), [a]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_is_transparent() {
        let mut pool = TermPool::new();
        let mode = RoundingMode::NearestEven;
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::Float(FloatFormat::SINGLE)));
        let [wide_x, wide_y] = [x, y].map(|term| pool.float_to_float(mode, FloatFormat::DOUBLE, term));
        assert_eq!(pool.float_lt(wide_x, wide_y), pool.float_lt(x, y));
        assert_eq!(pool.float_to_float(mode, FloatFormat::SINGLE, wide_x), x);
    }

    #[test]
    fn truncating_remainder_is_fmod() {
        let mut pool = TermPool::new();
        let values = [5.5f64, -5.5, 1.0, -0.0, 3.25, 1e300, f64::INFINITY, f64::NAN, 0.1, 7e-310];
        for a in values {
            for b in values {
                let [x, y] = [a, b].map(|value| pool.float_constant(&FloatValue::from_f64(value)));
                let result = pool.float_fmod(x, y);
                let expected = pool.float_constant(&FloatValue::from_f64(a % b));
                assert_eq!(pool.float_value(result), pool.float_value(expected), "{a} % {b}");
            }
        }
    }
}
