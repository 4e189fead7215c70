//! Bitwise operators.
//!
//! Masks and concatenations with constant parts are cut at the constants, so that what is known of
//! single bits shows: `x & 255` is an extraction, and `(a << 8) | b` of bytes a concatenation.

use crate::bitvec::BitVec;
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;

/// A mask of more runs of equal bits than this stays a mask.
const MOST_RUNS: usize = 3;

/// The lengths of the runs of equal bits, from the lowest; `None` if there are many.
fn runs(value: &BitVec) -> Option<Vec<u32>> {
    let mut lengths = Vec::new();
    let mut start = 0;
    for index in 1..=value.width() {
        if index == value.width() || value.bit(index) != value.bit(start) {
            if lengths.len() == MOST_RUNS {
                return None;
            }
            lengths.push(index - start);
            start = index;
        }
    }
    Some(lengths)
}

impl TermPool {
    pub fn bit_not(&mut self, a: TermId) -> TermId {
        if let Some(value) = self.bitvec_value(a) {
            return self.bitvec_constant(&value.not());
        }
        if let Some(inner) = self.operand(a, Op::BitNot) {
            return inner;
        }
        // ~(-x - 1) and ~(x + c) are sums.
        if let Some((x, c)) = self.operands(a, Op::Add).filter(|&(_, c)| self.is_constant(c))
            && let Some(x) = self.operand(x, Op::Neg)
        {
            let c = self.bit_not(c);
            return self.add(x, c);
        }
        if let Some((condition, then, otherwise)) = self.branches(a)
            && self.is_constant(then)
            && self.is_constant(otherwise)
        {
            let (then, otherwise) = (self.bit_not(then), self.bit_not(otherwise));
            return self.ite(condition, then, otherwise);
        }
        self.intern(Op::BitNot, self.sort(a), [a])
    }

    fn opposite_bits(&self, a: TermId, b: TermId) -> bool {
        self.operand(a, Op::BitNot) == Some(b) || self.operand(b, Op::BitNot) == Some(a)
    }

    pub fn bit_and(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(result) = self.bit_and_constant(a, b) {
            return result;
        }
        if a == b {
            return a;
        }
        if self.opposite_bits(a, b) {
            return self.bitvec(self.width(a), 0);
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.operands(x, Op::BitAnd).is_some_and(|(p, q)| p == y || q == y) {
                return x;
            }
            if self.operands(x, Op::BitOr).is_some_and(|(p, q)| p == y || q == y) {
                return y;
            }
        }
        self.split_at_constants(Op::BitAnd, a, b)
            .unwrap_or_else(|| self.intern(Op::BitAnd, self.sort(a), [a, b]))
    }

    fn bit_and_constant(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let mask = self.bitvec_value(b)?;
        if let Some(value) = self.bitvec_value(a) {
            return Some(self.bitvec_constant(&value.and(&mask)));
        }
        if mask.is_zero() {
            return Some(b);
        }
        if mask.is_ones() {
            return Some(a);
        }
        if let Some((x, c)) = self.operands(a, Op::BitAnd)
            && let Some(inner) = self.bitvec_value(c)
        {
            let both = self.bitvec_constant(&inner.and(&mask));
            return Some(self.bit_and(x, both));
        }
        self.split_at_runs(
            &mask,
            a,
            |pool, slice, set| if set { slice } else { pool.bitvec(pool.width(slice), 0) },
        )
    }

    pub fn bit_or(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(result) = self.bit_or_constant(a, b) {
            return result;
        }
        if a == b {
            return a;
        }
        if self.opposite_bits(a, b) {
            return self.bitvec_constant(&BitVec::ones(self.width(a)));
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.operands(x, Op::BitOr).is_some_and(|(p, q)| p == y || q == y) {
                return x;
            }
            if self.operands(x, Op::BitAnd).is_some_and(|(p, q)| p == y || q == y) {
                return y;
            }
        }
        self.split_at_constants(Op::BitOr, a, b)
            .unwrap_or_else(|| self.intern(Op::BitOr, self.sort(a), [a, b]))
    }

    fn bit_or_constant(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let mask = self.bitvec_value(b)?;
        if let Some(value) = self.bitvec_value(a) {
            return Some(self.bitvec_constant(&value.or(&mask)));
        }
        if mask.is_zero() {
            return Some(a);
        }
        if mask.is_ones() {
            return Some(b);
        }
        if let Some((x, c)) = self.operands(a, Op::BitOr)
            && let Some(inner) = self.bitvec_value(c)
        {
            let both = self.bitvec_constant(&inner.or(&mask));
            return Some(self.bit_or(x, both));
        }
        self.split_at_runs(&mask, a, |pool, slice, set| {
            if set { pool.bitvec_constant(&BitVec::ones(pool.width(slice))) } else { slice }
        })
    }

    pub fn bit_xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(result) = self.bit_xor_constant(a, b) {
            return result;
        }
        if a == b {
            return self.bitvec(self.width(a), 0);
        }
        if self.opposite_bits(a, b) {
            return self.bitvec_constant(&BitVec::ones(self.width(a)));
        }
        let (inner_a, inner_b) = (self.operand(a, Op::BitNot), self.operand(b, Op::BitNot));
        if inner_a.is_some() || inner_b.is_some() {
            let same = self.bit_xor(inner_a.unwrap_or(a), inner_b.unwrap_or(b));
            return if inner_a.is_some() == inner_b.is_some() { same } else { self.bit_not(same) };
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((p, q)) = self.operands(x, Op::BitXor)
                && (p == y || q == y)
            {
                return if p == y { q } else { p };
            }
        }
        self.split_at_constants(Op::BitXor, a, b)
            .unwrap_or_else(|| self.intern(Op::BitXor, self.sort(a), [a, b]))
    }

    fn bit_xor_constant(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let mask = self.bitvec_value(b)?;
        if let Some(value) = self.bitvec_value(a) {
            return Some(self.bitvec_constant(&value.xor(&mask)));
        }
        if mask.is_zero() {
            return Some(a);
        }
        if mask.is_ones() {
            return Some(self.bit_not(a));
        }
        let (x, c) = self.operands(a, Op::BitXor)?;
        let both = self.bitvec_value(c)?.xor(&mask);
        let both = self.bitvec_constant(&both);
        Some(self.bit_xor(x, both))
    }

    /// Puts a term together from its slices under each run of equal bits of a mask.
    fn split_at_runs(
        &mut self,
        mask: &BitVec,
        term: TermId,
        piece: impl Fn(&mut Self, TermId, bool) -> TermId,
    ) -> Option<TermId> {
        let runs = runs(mask)?;
        self.nested(|pool| {
            let mut low = 0;
            let mut result = None;
            for length in runs {
                let slice = pool.extract(term, low + length - 1, low);
                let part = piece(pool, slice, mask.bit(low));
                result = Some(result.map_or(part, |rest| pool.concat(part, rest)));
                low += length;
            }
            result.unwrap_or(term)
        })
    }

    /// Cuts both operands where one of them has a constant part.
    fn split_at_constants(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let boundary = self.constant_boundary(a).or_else(|| self.constant_boundary(b))?;
        let width = self.width(a);
        self.nested(|pool| {
            let [high, low] = [(width - 1, boundary), (boundary - 1, 0)].map(|(high, low)| {
                let (x, y) = (pool.extract(a, high, low), pool.extract(b, high, low));
                match op {
                    Op::BitAnd => pool.bit_and(x, y),
                    Op::BitOr => pool.bit_or(x, y),
                    _ => pool.bit_xor(x, y),
                }
            });
            pool.concat(high, low)
        })
    }

    /// The width of the low part of a concatenation in which one part is a constant.
    fn constant_boundary(&self, term: TermId) -> Option<u32> {
        let (high, low) = self.operands(term, Op::Concat)?;
        let constant = self.is_constant(high)
            || self.is_constant(low)
            || self.operands(low, Op::Concat).is_some_and(|(next, _)| self.is_constant(next));
        constant.then(|| self.width(low))
    }

    /// A Boolean as a bit-vector: 1 or 0.
    pub fn bool_to_bitvec(&mut self, condition: TermId, width: u32) -> TermId {
        debug_assert_eq!(self.sort(condition), Sort::Bool);
        let (one, zero) = (self.bitvec(width, 1), self.bitvec(width, 0));
        self.ite(condition, one, zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_become_slices() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(32));
        let mask = pool.bitvec(32, 0xff);
        let low = pool.extract(x, 7, 0);
        assert_eq!(pool.bit_and(x, mask), pool.zero_extend(low, 32));
    }

    #[test]
    fn bytes_are_put_together() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(8)));
        let [wide_x, wide_y] = [x, y].map(|term| pool.zero_extend(term, 16));
        let eight = pool.bitvec(16, 8);
        let shifted = pool.shl(wide_x, eight);
        let both = pool.concat(x, y);
        assert_eq!(pool.bit_or(shifted, wide_y), both);
        assert_eq!(pool.add(shifted, wide_y), both);
        assert_eq!(pool.bit_xor(shifted, wide_y), both);
    }
}
