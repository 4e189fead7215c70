//! Whether an operation on machine integers leaves their range.

use crate::bitvec::BitVec;
use crate::pool::{TermId, TermPool};

impl TermPool {
    /// Whether `a + b` is not the signed sum.
    pub fn signed_add_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.signed_overflow(a, b, Self::add)
    }

    /// Whether `a - b` is not the signed difference.
    pub fn signed_sub_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.signed_overflow(a, b, Self::sub)
    }

    /// The sign of the result in one more bit is not the sign in the width of the operands.
    fn signed_overflow(
        &mut self,
        a: TermId,
        b: TermId,
        operation: fn(&mut Self, TermId, TermId) -> TermId,
    ) -> TermId {
        let width = self.width(a);
        if self.signed_width(a).max(self.signed_width(b)) < width {
            return Self::FALSE;
        }
        let [wide_a, wide_b] = [a, b].map(|term| self.sign_extend(term, width + 1));
        let result = operation(self, wide_a, wide_b);
        let (carry, sign) = (self.bit(result, width), self.bit(result, width - 1));
        self.xor(carry, sign)
    }

    /// Whether `a * b` is not the signed product.
    pub fn signed_mul_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let needed = self.signed_width(a) + self.signed_width(b);
        if needed <= width {
            return Self::FALSE;
        }
        let [wide_a, wide_b] = [a, b].map(|term| self.resize_signed(term, needed));
        let product = self.mul(wide_a, wide_b);
        let truncated = self.extract(product, width - 1, 0);
        let restored = self.sign_extend(truncated, needed);
        self.ne(product, restored)
    }

    /// Whether shifting left by `by`, less than the width, loses digits or changes the sign.
    pub fn signed_shl_overflows(&mut self, a: TermId, by: TermId) -> TermId {
        let there = self.shl(a, by);
        let back = self.ashr(there, by);
        self.ne(back, a)
    }

    /// Whether `-a` is not the signed negation.
    pub fn signed_neg_overflows(&mut self, a: TermId) -> TermId {
        let smallest = self.bitvec_constant(&BitVec::signed_min(self.width(a)));
        self.eq(a, smallest)
    }

    /// Whether `a / b` (or `a % b`) is the one quotient that does not fit; not whether `b` is 0.
    pub fn signed_div_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let smallest = self.signed_neg_overflows(a);
        let minus_one = self.bitvec_constant(&BitVec::ones(self.width(a)));
        let by_minus_one = self.eq(b, minus_one);
        self.and(smallest, by_minus_one)
    }

    /// Whether `a + b` wraps around.
    pub fn unsigned_add_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let [wide_a, wide_b] = [a, b].map(|term| self.zero_extend(term, width + 1));
        let sum = self.add(wide_a, wide_b);
        self.bit(sum, width)
    }

    /// Whether `a - b` wraps around.
    pub fn unsigned_sub_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(a, b)
    }

    /// Whether `a * b` wraps around.
    pub fn unsigned_mul_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let needed = 2 * width - self.leading_zeros(a) - self.leading_zeros(b);
        if needed <= width {
            return Self::FALSE;
        }
        let [wide_a, wide_b] = [a, b].map(|term| self.resize_unsigned(term, needed));
        let product = self.mul(wide_a, wide_b);
        let high = self.extract(product, needed - 1, width);
        let zero = self.bitvec(needed - width, 0);
        self.ne(high, zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    #[test]
    fn promoted_operands_cannot_overflow() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(8)));
        let [x, y] = [x, y].map(|term| pool.sign_extend(term, 32));
        assert_eq!(pool.signed_add_overflows(x, y), TermPool::FALSE);
        assert_eq!(pool.signed_sub_overflows(x, y), TermPool::FALSE);
        assert_eq!(pool.signed_mul_overflows(x, y), TermPool::FALSE);
    }

    #[test]
    fn all_small_operands() {
        let mut pool = TermPool::new();
        for a in -8..8i64 {
            for b in -8..8i64 {
                let [x, y] = [a, b].map(|value| pool.bitvec(4, value as u64));
                let signed = |value: i64| TermPool::new().truth(!(-8..8).contains(&value));
                assert_eq!(pool.signed_add_overflows(x, y), signed(a + b));
                assert_eq!(pool.signed_sub_overflows(x, y), signed(a - b));
                assert_eq!(pool.signed_mul_overflows(x, y), signed(a * b));
                if (0..4).contains(&b) {
                    assert_eq!(pool.signed_shl_overflows(x, y), signed(a << b));
                }
                let (p, q) = (a & 15, b & 15);
                let unsigned = |value: i64| TermPool::new().truth(!(0..16).contains(&value));
                assert_eq!(pool.unsigned_add_overflows(x, y), unsigned(p + q));
                assert_eq!(pool.unsigned_sub_overflows(x, y), unsigned(p - q));
                assert_eq!(pool.unsigned_mul_overflows(x, y), unsigned(p * q));
            }
        }
    }
}
