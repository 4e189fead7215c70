//! Concatenation, extraction and extension.
//!
//! Normal form: chains of `Concat` lean to the right, neighbouring constants and neighbouring
//! slices of one term are merged, and a zero extension is a `Concat` with zeros.

use crate::bitvec::BitVec;
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;

/// Left-leaning chains longer than this stay as they are.
const LONGEST_ROTATION: usize = 16;

impl TermPool {
    /// `high` above `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let mut parts = smallvec::SmallVec::<[TermId; 8]>::new();
        let mut rest = high;
        while let Some((first, second)) = self.operands(rest, Op::Concat)
            && parts.len() < LONGEST_ROTATION
        {
            parts.push(first);
            rest = second;
        }
        parts.push(rest);
        parts.iter().rev().fold(low, |low, &part| self.concat_one(part, low))
    }

    /// `high` is not a `Concat`, or the chain is too long to care.
    fn concat_one(&mut self, high: TermId, low: TermId) -> TermId {
        let (first, rest) = match self.operands(low, Op::Concat) {
            Some((first, rest)) => (first, Some(rest)),
            None => (low, None),
        };
        if let Some(merged) = self.merged(high, first) {
            return match rest {
                Some(rest) => self.concat_one(merged, rest),
                None => merged,
            };
        }
        let width = self.width(high) + self.width(low);
        self.intern(Op::Concat, Sort::BitVec(width), [high, low])
    }

    /// One term for two neighbours, if they are constants or slices of one term that touch.
    fn merged(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        if let (Some(a), Some(b)) = (self.bitvec_value(high), self.bitvec_value(low)) {
            return Some(self.bitvec_constant(&a.concat(&b)));
        }
        let (source, high_low) = (self.operand(high, Op::Extract)?, self.extract_low(high));
        let (other, low_low) = (self.operand(low, Op::Extract)?, self.extract_low(low));
        if source != other || high_low != low_low + self.width(low) {
            return None;
        }
        Some(self.extract(source, high_low + self.width(high) - 1, low_low))
    }

    /// The bits `low..=high`.
    pub fn extract(&mut self, term: TermId, high: u32, low: u32) -> TermId {
        let (mut term, mut high, mut low) = (term, high, low);
        assert!(low <= high && high < self.width(term), "extract {high}..{low} of {}", self.width(term));
        loop {
            if low == 0 && high + 1 == self.width(term) {
                return term;
            }
            match self.op(term) {
                Op::Extract => {
                    let inner = self.extract_low(term);
                    (term, high, low) = (self.child(term, 0), high + inner, low + inner);
                }
                Op::Concat => {
                    let (upper, lower) = (self.child(term, 0), self.child(term, 1));
                    let boundary = self.width(lower);
                    if high < boundary {
                        term = lower;
                    } else if low >= boundary {
                        (term, high, low) = (upper, high - boundary, low - boundary);
                    } else {
                        return self.extract_across(upper, lower, high, low);
                    }
                }
                Op::SignExtend if high < self.width(self.child(term, 0)) => term = self.child(term, 0),
                _ => return self.extract_of(term, high, low),
            }
        }
    }

    fn extract_across(&mut self, upper: TermId, lower: TermId, high: u32, low: u32) -> TermId {
        let boundary = self.width(lower);
        let nested = self.nested(|pool| {
            let first = pool.extract(upper, high - boundary, 0);
            let second = pool.extract(lower, boundary - 1, low);
            pool.concat(first, second)
        });
        nested.unwrap_or_else(|| {
            let whole = self.concat_one(upper, lower);
            self.extract_as_is(whole, high, low)
        })
    }

    fn extract_as_is(&mut self, term: TermId, high: u32, low: u32) -> TermId {
        self.intern(Op::Extract, Sort::BitVec(high - low + 1), [term, TermId(low)])
    }

    fn extract_of(&mut self, term: TermId, high: u32, low: u32) -> TermId {
        if let Some(value) = self.bitvec_value(term) {
            return self.bitvec_constant(&value.extract(high, low));
        }
        if self.extract_goes_inside(term, low)
            && let Some(result) = self.nested(|pool| pool.extract_inside(term, high, low))
        {
            return result;
        }
        self.extract_as_is(term, high, low)
    }

    /// Whether the slice of a result is better computed from slices of the operands.
    fn extract_goes_inside(&self, term: TermId, low: u32) -> bool {
        let pieces = |&child: &TermId| matches!(self.op(child), Op::Constant | Op::Concat | Op::SignExtend);
        let children = self.children(term);
        match self.op(term) {
            Op::SignExtend | Op::BitNot => true,
            Op::BitAnd | Op::BitOr | Op::BitXor => children.iter().any(pieces),
            Op::Ite => children[1..].iter().all(|&child| self.is_constant(child)),
            // The low bits of these only depend on the low bits of the operands.
            Op::Add | Op::Mul | Op::Neg => low == 0 && children.iter().all(pieces),
            _ => false,
        }
    }

    fn extract_inside(&mut self, term: TermId, high: u32, low: u32) -> TermId {
        let (first, second) = (self.child(term, 0), self.child(term, 1));
        match self.op(term) {
            Op::SignExtend => {
                let top = self.width(first) - 1;
                let kept = self.extract(first, top, low.min(top));
                self.sign_extend(kept, high - low + 1)
            }
            Op::BitNot => {
                let inner = self.extract(first, high, low);
                self.bit_not(inner)
            }
            Op::Neg => {
                let inner = self.extract(first, high, low);
                self.neg(inner)
            }
            Op::Ite => {
                let otherwise = self.child(term, 2);
                let then = self.extract(second, high, low);
                let otherwise = self.extract(otherwise, high, low);
                self.ite(first, then, otherwise)
            }
            op => {
                let a = self.extract(first, high, low);
                let b = self.extract(second, high, low);
                match op {
                    Op::BitAnd => self.bit_and(a, b),
                    Op::BitOr => self.bit_or(a, b),
                    Op::BitXor => self.bit_xor(a, b),
                    Op::Add => self.add(a, b),
                    _ => self.mul(a, b),
                }
            }
        }
    }

    /// One bit, as a Boolean.
    pub fn bit(&mut self, term: TermId, index: u32) -> TermId {
        let bit = self.extract(term, index, index);
        let one = self.bitvec(1, 1);
        self.eq(bit, one)
    }

    /// The same unsigned value in `width` bits.
    pub fn zero_extend(&mut self, term: TermId, width: u32) -> TermId {
        let own = self.width(term);
        assert!(own <= width, "zero extension from {own} to {width} bits");
        if own == width {
            return term;
        }
        let zeros = self.bitvec(width - own, 0);
        self.concat(zeros, term)
    }

    /// The same signed value in `width` bits.
    pub fn sign_extend(&mut self, term: TermId, width: u32) -> TermId {
        let own = self.width(term);
        assert!(own <= width, "sign extension from {own} to {width} bits");
        if own == width {
            return term;
        }
        if let Some(value) = self.bitvec_value(term) {
            return self.bitvec_constant(&value.sign_extend(width));
        }
        if self.leading_zeros(term) > 0 {
            return self.zero_extend(term, width);
        }
        let term = self.operand(term, Op::SignExtend).unwrap_or(term);
        self.intern(Op::SignExtend, Sort::BitVec(width), [term])
    }

    /// The unsigned value modulo 2^width: a C conversion between unsigned types.
    pub fn resize_unsigned(&mut self, term: TermId, width: u32) -> TermId {
        if width <= self.width(term) {
            self.extract(term, width - 1, 0)
        } else {
            self.zero_extend(term, width)
        }
    }

    /// The signed value modulo 2^width: a C conversion from a signed type.
    pub fn resize_signed(&mut self, term: TermId, width: u32) -> TermId {
        if width <= self.width(term) {
            self.extract(term, width - 1, 0)
        } else {
            self.sign_extend(term, width)
        }
    }

    /// How many of the highest bits are plainly zero.
    pub(crate) fn leading_zeros(&self, term: TermId) -> u32 {
        let of_value = |value: BitVec| value.width() - value.bit_length();
        match self.operands(term, Op::Concat) {
            Some((high, _)) => match self.bitvec_value(high) {
                Some(value) => of_value(value),
                None => 0,
            },
            None => self.bitvec_value(term).map_or(0, of_value),
        }
    }

    /// How many of the lowest bits are plainly zero.
    pub(crate) fn trailing_zeros(&self, term: TermId) -> u32 {
        match self.operands(term, Op::Concat) {
            Some((_, low)) => self.bitvec_value(low).map_or(0, |value| value.trailing_zeros()),
            None => self.bitvec_value(term).map_or(0, |value| value.trailing_zeros()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_of_one_term_grow_together() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(32));
        let bytes: Vec<_> = (0..4).map(|i| pool.extract(x, 8 * i + 7, 8 * i)).collect();
        let mut whole = bytes[0];
        for &byte in &bytes[1..] {
            whole = pool.concat(byte, whole);
        }
        assert_eq!(whole, x);
        let mut whole = bytes[3];
        for &byte in bytes[..3].iter().rev() {
            whole = pool.concat(whole, byte);
        }
        assert_eq!(whole, x);
    }

    #[test]
    fn narrow_arithmetic_stays_narrow() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(8)));
        let [wide_x, wide_y] = [x, y].map(|term| pool.sign_extend(term, 32));
        let sum = pool.add(wide_x, wide_y);
        assert_eq!(pool.extract(sum, 7, 0), pool.add(x, y));
    }
}
