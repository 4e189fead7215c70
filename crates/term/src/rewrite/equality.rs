//! Equality of terms of any sort.

use crate::bitvec::BitVec;
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::rewrite::linear::{Difference, Linear};
use crate::sort::Sort;
use dashu::integer::IBig;

impl TermPool {
    /// Equality; for Booleans `iff`. Floats are compared as values, see [`Op::Eq`].
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        let sort = self.sort(a);
        if sort == Sort::Bool {
            return self.iff(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if a == b {
            return Self::TRUE;
        }
        if self.is_constant(a) && self.is_constant(b) {
            return Self::FALSE;
        }
        if let Some(result) = self.eq_of_branches(a, b).or_else(|| self.eq_of_branches(b, a)) {
            return result;
        }
        match sort {
            Sort::BitVec(_) => self.eq_bitvec(a, b),
            Sort::Int => self.eq_int(a, b),
            _ => self.eq_as_is(a, b),
        }
    }

    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    fn eq_as_is(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        self.intern(Op::Eq, Sort::Bool, [a, b])
    }

    /// `(c ? x : y) = b`, where `b` is one of the branches, or a constant as one of the branches is.
    fn eq_of_branches(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (condition, then, otherwise) = self.branches(a)?;
        let constants = self.is_constant(b) && (self.is_constant(then) || self.is_constant(otherwise));
        let same_condition = self.branches(b).is_some_and(|(other, ..)| other == condition);
        if !constants && b != then && b != otherwise && !same_condition {
            return None;
        }
        let (other_then, other_otherwise) = match self.branches(b) {
            Some((_, x, y)) if same_condition => (x, y),
            _ => (b, b),
        };
        self.nested(|pool| {
            let then = pool.eq(then, other_then);
            let otherwise = pool.eq(otherwise, other_otherwise);
            pool.ite(condition, then, otherwise)
        })
    }

    fn eq_bitvec(&mut self, a: TermId, b: TermId) -> TermId {
        if self.ranges_are_disjoint(a, b) {
            return Self::FALSE;
        }
        self.eq_by_parts(a, b)
            .or_else(|| self.eq_extended(a, b))
            .or_else(|| self.eq_extended(b, a))
            .or_else(|| self.eq_bitwise(a, b))
            .or_else(|| self.eq_linear(a, b))
            .or_else(|| self.same_parts(a, b).then_some(Self::TRUE))
            .unwrap_or_else(|| self.eq_as_is(a, b))
    }

    fn ranges_are_disjoint(&self, a: TermId, b: TermId) -> bool {
        match (self.unsigned_range(a), self.unsigned_range(b)) {
            (Some(a), Some(b)) => a.high < b.low || b.high < a.low,
            _ => false,
        }
    }

    /// Concatenations that are cut at the same place, or cut a constant.
    fn eq_by_parts(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (concat, other) = if self.op(a) == Op::Concat { (a, b) } else { (b, a) };
        let (high, low) = self.operands(concat, Op::Concat)?;
        let boundary = self.width(low);
        let cut = match self.op(other) {
            Op::Constant => true,
            Op::Concat => {
                let zeros = self.is_constant(high) && self.is_constant(self.child(other, 0));
                zeros || self.width(self.child(other, 1)) == boundary
            }
            _ => false,
        };
        if !cut {
            return None;
        }
        let top = self.width(concat) - 1;
        self.nested(|pool| {
            let other_high = pool.extract(other, top, boundary);
            let highs = pool.eq(high, other_high);
            if highs == Self::FALSE {
                return highs;
            }
            let other_low = pool.extract(other, boundary - 1, 0);
            let lows = pool.eq(low, other_low);
            pool.and(highs, lows)
        })
    }

    /// Sign extensions of terms of one width, or one compared to a constant.
    fn eq_extended(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let inner = self.operand(a, Op::SignExtend)?;
        let width = self.width(inner);
        if let Some(other) = self.operand(b, Op::SignExtend).filter(|&other| self.width(other) == width) {
            return self.nested(|pool| pool.eq(inner, other));
        }
        let value = self.bitvec_value(b)?;
        let low = value.extract(width - 1, 0);
        if low.sign_extend(value.width()) != value {
            return Some(Self::FALSE);
        }
        let low = self.bitvec_constant(&low);
        self.nested(|pool| pool.eq(inner, low))
    }

    fn eq_bitwise(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        for (x, y) in [(a, b), (b, a)] {
            if let Some((p, q)) = self.operands(x, Op::BitXor) {
                if self.bitvec_value(y).is_some_and(|value| value.is_zero()) {
                    return self.nested(|pool| pool.eq(p, q));
                }
                if p == y || q == y {
                    let rest = if p == y { q } else { p };
                    let zero = self.bitvec(self.width(rest), 0);
                    return self.nested(|pool| pool.eq(rest, zero));
                }
                if self.is_constant(q) && self.is_constant(y) {
                    let other = self.bit_xor(y, q);
                    return self.nested(|pool| pool.eq(p, other));
                }
            }
            let all = match self.op(x) {
                Op::BitOr => self.bitvec_value(y).is_some_and(|value| value.is_zero()),
                Op::BitAnd => self.bitvec_value(y).is_some_and(|value| value.is_ones()),
                _ => false,
            };
            if all {
                let (p, q) = (self.child(x, 0), self.child(x, 1));
                return self.nested(|pool| {
                    let (first, second) = (pool.eq(p, y), pool.eq(q, y));
                    pool.and(first, second)
                });
            }
        }
        None
    }

    /// Cancels what both sides have in common.
    fn eq_linear(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let one = BitVec::one(self.width(a));
        let difference = self.difference(a, b, &one).or_else(|| self.long_difference(a, b));
        let Difference { linear, simpler } = difference?;
        if linear.monomials.is_empty() {
            return Some(self.truth(linear.constant.is_zero()));
        }
        if linear.monomials.iter().any(|&(atom, _)| self.op(atom) == Op::Mul)
            && let Some(difference) = self.constant_difference(a, b, &one)
        {
            return Some(self.truth(difference.is_zero()));
        }
        if let [(atom, coefficient)] = linear.monomials.as_slice() {
            let changed = *atom != a && *atom != b || !self.is_constant(b);
            return if changed { self.eq_single(*atom, coefficient, &linear.constant) } else { None };
        }
        if let Some(result) = self.eq_by_choices(&linear) {
            return Some(result);
        }
        if !simpler {
            return None;
        }
        let (left, right) = self.sides(&linear);
        self.nested(|pool| pool.eq_by_parts(left, right).unwrap_or_else(|| pool.eq_as_is(left, right)))
    }

    /// `coefficient * atom + constant = 0`
    fn eq_single(&mut self, atom: TermId, coefficient: &BitVec, constant: &BitVec) -> Option<TermId> {
        let width = coefficient.width();
        let zeros = coefficient.trailing_zeros();
        if constant.trailing_zeros() < zeros {
            return Some(Self::FALSE);
        }
        // Both sides are divided by 2^zeros, then by the odd rest of the coefficient.
        let odd = coefficient.extract(width - 1, zeros);
        let right = constant.neg().extract(width - 1, zeros).mul(&odd.inverse()?);
        let right = self.bitvec_constant(&right);
        self.nested(|pool| {
            let left = pool.extract(atom, width - zeros - 1, 0);
            pool.eq(left, right)
        })
    }

    /// The equation `linear = 0` with positive coefficients on both sides.
    fn sides(&mut self, linear: &Linear<BitVec>) -> (TermId, TermId) {
        let zero = BitVec::zero(linear.constant.width());
        let (mut left, mut right) = (Linear::new(zero.clone()), Linear::new(zero));
        for (atom, coefficient) in &linear.monomials {
            if coefficient.is_negative() {
                right.monomials.push((*atom, coefficient.neg()));
            } else {
                left.monomials.push((*atom, coefficient.clone()));
            }
        }
        right.constant = linear.constant.neg();
        (self.linear_term(&left), self.linear_term(&right))
    }

    fn eq_int(&mut self, a: TermId, b: TermId) -> TermId {
        let one = IBig::ONE;
        let Some(Difference { linear, simpler }) = self.difference(a, b, &one) else {
            return self.eq_as_is(a, b);
        };
        if linear.monomials.is_empty() {
            return self.truth(linear.constant.is_zero());
        }
        if linear.monomials.iter().any(|&(atom, _)| self.op(atom) == Op::IntMul)
            && let Some(difference) = self.constant_difference(a, b, &one)
        {
            return self.truth(difference.is_zero());
        }
        if !simpler {
            return self.eq_as_is(a, b);
        }
        let (left, right) = self.int_sides(&linear);
        self.eq_as_is(left, right)
    }

    /// Whether two terms are surely equal, surely different, or neither; builds nothing.
    pub fn decided_equal(&self, a: TermId, b: TermId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        if self.is_constant(a) && self.is_constant(b) {
            return Some(false);
        }
        let width = self.sort(a).width()?;
        if self.ranges_are_disjoint(a, b) {
            return Some(false);
        }
        let difference = self.difference(a, b, &BitVec::one(width))?;
        difference.linear.monomials.is_empty().then(|| difference.linear.constant.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(32)));
        let [one, three, six, five] = [1, 3, 6, 5].map(|value| pool.bitvec(32, value));
        let (x1, y1) = (pool.add(x, one), pool.add(y, one));
        assert_eq!(pool.eq(x1, y1), pool.eq(x, y));
        let (triple, two) = (pool.mul(x, three), pool.bitvec(32, 2));
        assert_eq!(pool.eq(triple, six), pool.eq(x, two));
        let double = pool.mul(x, two);
        assert_eq!(pool.eq(double, five), TermPool::FALSE);
        assert_eq!(pool.eq(x, x1), TermPool::FALSE);
        assert_eq!(pool.decided_equal(x, x1), Some(false));
    }

    #[test]
    fn truth_values_as_integers_come_back() {
        let mut pool = TermPool::new();
        let c = pool.variable("c", Sort::Bool);
        let as_int = pool.bool_to_bitvec(c, 32);
        let zero = pool.bitvec(32, 0);
        assert_eq!(pool.ne(as_int, zero), c);
        let two = pool.bitvec(32, 2);
        assert_eq!(pool.eq(as_int, two), TermPool::FALSE);
    }
}
