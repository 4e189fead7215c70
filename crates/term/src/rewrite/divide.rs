//! Division and remainder, with the results that SMT-LIB gives for a divisor of 0.

use crate::bitvec::BitVec;
use crate::op::Op;
use crate::pool::{TermId, TermPool};

impl TermPool {
    /// Unsigned quotient; all ones if the divisor is 0.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        let width = self.width(a);
        if let Some(divisor) = self.bitvec_value(b) {
            if let Some(value) = self.bitvec_value(a) {
                return self.bitvec_constant(&value.udiv(&divisor));
            }
            if divisor.is_zero() {
                return self.bitvec_constant(&BitVec::ones(width));
            }
            if let Some(by) = divisor.log2() {
                return self.lshr_by(a, by);
            }
        }
        if self.surely_below(a, b) {
            return self.bitvec(width, 0);
        }
        if let Some(narrow) = self.common_width(a, b)
            && self.is_constant(b)
        {
            return self.narrowed(Op::Udiv, a, b, narrow);
        }
        self.intern(Op::Udiv, self.sort(a), [a, b])
    }

    /// Unsigned remainder; the dividend if the divisor is 0.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        let width = self.width(a);
        if let Some(divisor) = self.bitvec_value(b) {
            if let Some(value) = self.bitvec_value(a) {
                return self.bitvec_constant(&value.urem(&divisor));
            }
            if divisor.is_zero() {
                return a;
            }
            match divisor.log2() {
                Some(0) => return self.bitvec(width, 0),
                Some(by) => {
                    let rest = self.extract(a, by - 1, 0);
                    return self.zero_extend(rest, width);
                }
                None => {}
            }
        }
        if a == b {
            return self.bitvec(width, 0);
        }
        if self.surely_below(a, b) {
            return a;
        }
        if let Some(narrow) = self.common_width(a, b) {
            return self.narrowed(Op::Urem, a, b, narrow);
        }
        self.intern(Op::Urem, self.sort(a), [a, b])
    }

    /// Signed quotient, rounded toward zero; if the divisor is 0: 1 for negative dividends,
    /// otherwise -1.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        if let Some(divisor) = self.bitvec_value(b) {
            if let Some(value) = self.bitvec_value(a) {
                return self.bitvec_constant(&value.sdiv(&divisor));
            }
            if divisor.is_zero() {
                let width = self.width(a);
                let (one, minus_one) = (self.bitvec(width, 1), self.bitvec_constant(&BitVec::ones(width)));
                let negative = self.slt(a, b);
                return self.ite(negative, one, minus_one);
            }
            if divisor.is_ones() {
                return self.neg(a);
            }
            if let Some(by) = divisor.log2().filter(|_| !divisor.is_negative()) {
                return self.sdiv_by_power(a, by);
            }
        }
        if self.known_sign(a) == Some(false) && self.known_sign(b) == Some(false) {
            return self.udiv(a, b);
        }
        self.intern(Op::Sdiv, self.sort(a), [a, b])
    }

    /// Signed remainder, with the sign of the dividend; the dividend if the divisor is 0.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        let width = self.width(a);
        if let Some(divisor) = self.bitvec_value(b) {
            if let Some(value) = self.bitvec_value(a) {
                return self.bitvec_constant(&value.srem(&divisor));
            }
            if divisor.is_zero() {
                return a;
            }
            if divisor.is_ones() || divisor.is_one() && width > 1 {
                return self.bitvec(width, 0);
            }
            if let Some(by) = divisor.log2().filter(|_| !divisor.is_negative()) {
                let quotient = self.sdiv_by_power(a, by);
                let multiple = self.shl_by(quotient, by);
                return self.sub(a, multiple);
            }
        }
        if a == b {
            return self.bitvec(width, 0);
        }
        if self.known_sign(a) == Some(false) && self.known_sign(b) == Some(false) {
            return self.urem(a, b);
        }
        self.intern(Op::Srem, self.sort(a), [a, b])
    }

    /// `a / 2^by`: a shift of `a`, plus 2^by - 1 if `a` is negative.
    fn sdiv_by_power(&mut self, a: TermId, by: u32) -> TermId {
        if by == 0 {
            return a;
        }
        let width = self.width(a);
        let sign = self.extract(a, width - 1, width - 1);
        let correction = self.sign_extend(sign, by);
        let correction = self.zero_extend(correction, width);
        let shifted = self.add(a, correction);
        self.ashr_by(shifted, by)
    }

    fn surely_below(&self, a: TermId, b: TermId) -> bool {
        match (self.unsigned_range(a), self.unsigned_range(b)) {
            (Some(a), Some(b)) => a.high < b.low,
            _ => false,
        }
    }

    /// The number of bits that are enough for both operands, if that is fewer than they have.
    fn common_width(&self, a: TermId, b: TermId) -> Option<u32> {
        let width = self.width(a);
        let zeros = self.leading_zeros(a).min(self.leading_zeros(b)).min(width - 1);
        (zeros > 0).then_some(width - zeros)
    }

    fn narrowed(&mut self, op: Op, a: TermId, b: TermId, narrow: u32) -> TermId {
        let width = self.width(a);
        let [a, b] = [a, b].map(|term| self.extract(term, narrow - 1, 0));
        let result = if op == Op::Udiv { self.udiv(a, b) } else { self.urem(a, b) };
        self.zero_extend(result, width)
    }
}
