//! Unsigned and signed comparison. `a <= b` is `not (b < a)`.

use crate::bitvec::BitVec;
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;

impl TermPool {
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        if a == b {
            return Self::FALSE;
        }
        let (left, right) = (self.bitvec_value(a), self.bitvec_value(b));
        if let (Some(left), Some(right)) = (&left, &right) {
            return self.truth(left.ult(right));
        }
        self.ult_at_bounds(a, b, left.as_ref(), right.as_ref())
            .or_else(|| self.ult_by_range(a, b))
            .or_else(|| self.compare_branches(Op::Ult, a, b))
            .or_else(|| self.ult_narrowed(a, b))
            .unwrap_or_else(|| self.intern(Op::Ult, Sort::Bool, [a, b]))
    }

    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        if a == b {
            return Self::FALSE;
        }
        let (left, right) = (self.bitvec_value(a), self.bitvec_value(b));
        if let (Some(left), Some(right)) = (&left, &right) {
            return self.truth(left.slt(right));
        }
        match (self.known_sign(a), self.known_sign(b)) {
            (Some(true), Some(false)) => return Self::TRUE,
            (Some(false), Some(true)) => return Self::FALSE,
            (Some(_), Some(_)) => return self.ult(a, b),
            _ => {}
        }
        self.slt_at_bounds(a, b, left.as_ref(), right.as_ref())
            .or_else(|| self.compare_branches(Op::Slt, a, b))
            .or_else(|| self.slt_narrowed(a, b))
            .unwrap_or_else(|| self.intern(Op::Slt, Sort::Bool, [a, b]))
    }

    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// One operand is a constant at or next to the end of the unsigned range.
    fn ult_at_bounds(
        &mut self,
        a: TermId,
        b: TermId,
        left: Option<&BitVec>,
        right: Option<&BitVec>,
    ) -> Option<TermId> {
        if let Some(bound) = right {
            if bound.is_zero() {
                return Some(Self::FALSE);
            }
            if bound.is_one() {
                let zero = self.bitvec(bound.width(), 0);
                return Some(self.eq(a, zero));
            }
            return bound.is_ones().then(|| self.ne(a, b));
        }
        let bound = left?;
        if bound.is_ones() {
            return Some(Self::FALSE);
        }
        if bound.is_zero() {
            return Some(self.ne(a, b));
        }
        let largest = BitVec::ones(bound.width());
        bound.not().is_one().then(|| {
            let largest = self.bitvec_constant(&largest);
            self.eq(b, largest)
        })
    }

    fn slt_at_bounds(
        &mut self,
        a: TermId,
        b: TermId,
        left: Option<&BitVec>,
        right: Option<&BitVec>,
    ) -> Option<TermId> {
        if let Some(bound) = right {
            let smallest = BitVec::signed_min(bound.width());
            let above = bound.sub(&smallest);
            if above.is_zero() {
                return Some(Self::FALSE);
            }
            if above.is_one() {
                let smallest = self.bitvec_constant(&smallest);
                return Some(self.eq(a, smallest));
            }
            return above.is_ones().then(|| self.ne(a, b));
        }
        let bound = left?;
        let largest = BitVec::signed_max(bound.width());
        let below = largest.sub(bound);
        if below.is_zero() {
            return Some(Self::FALSE);
        }
        if below.is_one() {
            let largest = self.bitvec_constant(&largest);
            return Some(self.eq(b, largest));
        }
        below.is_ones().then(|| self.ne(a, b))
    }

    fn ult_by_range(&self, a: TermId, b: TermId) -> Option<TermId> {
        let (a, b) = (self.unsigned_range(a)?, self.unsigned_range(b)?);
        match () {
            () if a.high < b.low => Some(Self::TRUE),
            () if a.low >= b.high => Some(Self::FALSE),
            () => None,
        }
    }

    /// A constant is compared to an `Ite` of constants.
    fn compare_branches(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let compare = |pool: &mut Self, a, b| if op == Op::Ult { pool.ult(a, b) } else { pool.slt(a, b) };
        let (condition, then, otherwise) = if self.is_constant(b) {
            self.branches(a)?
        } else if self.is_constant(a) {
            self.branches(b)?
        } else {
            return None;
        };
        if !self.is_constant(then) || !self.is_constant(otherwise) {
            return None;
        }
        let [then, otherwise] = [then, otherwise].map(|branch| {
            if self.is_constant(b) { compare(self, branch, b) } else { compare(self, a, branch) }
        });
        Some(self.ite(condition, then, otherwise))
    }

    /// Equal leading parts do not matter.
    fn ult_narrowed(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some((x, y)) = self.extended_alike(a, b) {
            return self.nested(|pool| pool.ult(x, y));
        }
        let width = self.width(a);
        let zeros = self.leading_zeros(a).min(self.leading_zeros(b));
        let common = match (self.operands(a, Op::Concat), self.operands(b, Op::Concat)) {
            (Some((x, _)), Some((y, _))) if x == y => self.width(x),
            _ => zeros,
        };
        if common == 0 || common >= width {
            return None;
        }
        self.nested(|pool| {
            let [a, b] = [a, b].map(|term| pool.extract(term, width - common - 1, 0));
            pool.ult(a, b)
        })
    }

    fn slt_narrowed(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some((x, y)) = self.extended_alike(a, b) {
            return self.nested(|pool| pool.slt(x, y));
        }
        let (width_a, width_b) = (self.signed_width(a), self.signed_width(b));
        if let Some(bound) = self.bitvec_value(b).filter(|_| width_a < width_b) {
            return Some(self.truth(!bound.is_negative()));
        }
        if let Some(bound) = self.bitvec_value(a).filter(|_| width_b < width_a) {
            return Some(self.truth(bound.is_negative()));
        }
        // A sign extension against a constant or zero extension: as many bits as both need.
        let needed = width_a.max(width_b);
        if needed >= self.width(a) {
            return None;
        }
        self.nested(|pool| {
            let [a, b] = [a, b].map(|term| pool.extract(term, needed - 1, 0));
            pool.slt(a, b)
        })
    }

    /// Both are sign extensions from the same width.
    fn extended_alike(&self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        let (x, y) = (self.operand(a, Op::SignExtend)?, self.operand(b, Op::SignExtend)?);
        (self.width(x) == self.width(y)).then_some((x, y))
    }

    /// A number of bits that hold the signed value of the term.
    pub(super) fn signed_width(&self, term: TermId) -> u32 {
        let width = self.width(term);
        if let Some(value) = self.bitvec_value(term) {
            let magnitude = if value.is_negative() { value.not() } else { value };
            return magnitude.bit_length() + 1;
        }
        if let Some(inner) = self.operand(term, Op::SignExtend) {
            return self.width(inner);
        }
        width - self.leading_zeros(term).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_decide() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(8));
        let wide = pool.zero_extend(x, 32);
        let limit = pool.bitvec(32, 256);
        assert_eq!(pool.ult(wide, limit), TermPool::TRUE);
        assert_eq!(pool.slt(wide, limit), TermPool::TRUE);
        let largest = pool.bitvec(8, 255);
        assert_eq!(pool.ule(x, largest), TermPool::TRUE);
        let zero = pool.bitvec(32, 0);
        assert_eq!(pool.sle(zero, wide), TermPool::TRUE);
    }

    #[test]
    fn extensions_are_dropped() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(8));
        let wide = pool.sign_extend(x, 32);
        let (ten, narrow_ten) = (pool.bitvec(32, 10), pool.bitvec(8, 10));
        assert_eq!(pool.slt(wide, ten), pool.slt(x, narrow_ten));
        let large = pool.bitvec(32, 1000);
        let compared = pool.slt(wide, large);
        assert_eq!(compared, TermPool::TRUE);
    }
}
