//! Addition, subtraction and multiplication of bit-vectors.
//!
//! There is no subtraction: `a - b` is `a + -b`. A sum is rebuilt from its linear form only where
//! summands cancel or merge; otherwise the operands stay as they are, because they are likely to
//! be shared with other terms.

use super::linear::Linear;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;

impl TermPool {
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(right) = self.bitvec_value(b) {
            if right.is_zero() {
                return a;
            }
            if let Some(left) = self.bitvec_value(a) {
                return self.bitvec_constant(&left.add(&right));
            }
        }
        if let Some(inner) = self.operand(a, Op::Neg)
            && self.bitvec_value(b).is_some_and(|value| value.is_ones())
        {
            return self.bit_not(inner);
        }
        if let Some(result) = self.add_disjoint(a, b).or_else(|| self.add_disjoint(b, a)) {
            return result;
        }
        if (a == b || !self.is_atom(a) || !self.is_atom(b))
            && let Some(result) = self.add_merged(a, b)
        {
            return result;
        }
        self.intern(Op::Add, self.sort(a), [a, b])
    }

    fn is_atom(&self, term: TermId) -> bool {
        !matches!(self.op(term), Op::Add | Op::Mul | Op::Neg | Op::BitNot | Op::Concat | Op::Constant)
    }

    /// All bits of `b` are below those of `a`.
    fn add_disjoint(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let zeros = self.trailing_zeros(a);
        let width = self.width(a);
        if zeros == 0 || zeros >= width || self.leading_zeros(b) < width - zeros {
            return None;
        }
        let high = self.extract(a, width - 1, zeros);
        let low = self.extract(b, zeros - 1, 0);
        Some(self.concat(high, low))
    }

    fn add_merged(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        let one = BitVec::one(width);
        let mut sum = Linear::new(BitVec::zero(width));
        if !sum.collect(self, a, one.clone()) {
            return None;
        }
        let first = sum.constant.clone();
        if !sum.collect(self, b, one) {
            return None;
        }
        let both_constant = !first.is_zero() && sum.constant != first;
        (sum.normalise() || both_constant).then(|| self.linear_term(&sum))
    }

    /// The term of a normalised linear form.
    pub(super) fn linear_term(&mut self, sum: &Linear<BitVec>) -> TermId {
        let sort = Sort::BitVec(sum.constant.width());
        if let [(atom, coefficient)] = sum.monomials.as_slice()
            && coefficient.is_ones()
            && sum.constant.is_ones()
        {
            return self.bit_not(*atom);
        }
        let mut result = None;
        for (atom, coefficient) in &sum.monomials {
            let part = self.scaled(*atom, coefficient);
            result = Some(match result {
                Some(rest) => {
                    let (x, y) = self.ordered(rest, part);
                    self.intern(Op::Add, sort, [x, y])
                }
                None => part,
            });
        }
        let constant = self.bitvec_constant(&sum.constant);
        match result {
            None => constant,
            Some(result) if sum.constant.is_zero() => result,
            Some(result) => self.intern(Op::Add, sort, [result, constant]),
        }
    }

    /// `factor * atom`, where the atom is not itself scaled.
    fn scaled(&mut self, atom: TermId, factor: &BitVec) -> TermId {
        if factor.is_one() {
            return atom;
        }
        if factor.is_zero() {
            return self.bitvec_constant(factor);
        }
        if let Some(by) = factor.log2() {
            return self.shl_by(atom, by);
        }
        if factor.is_ones() {
            return self.intern(Op::Neg, self.sort(atom), [atom]);
        }
        let factor = self.bitvec_constant(factor);
        self.intern(Op::Mul, self.sort(atom), [atom, factor])
    }

    pub fn neg(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let minus_one = self.bitvec_constant(&BitVec::ones(width));
        self.mul(a, minus_one)
    }

    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        let minus_b = self.neg(b);
        self.add(a, minus_b)
    }

    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(factor) = self.bitvec_value(b) {
            return self.mul_constant(a, &factor);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(inner) = self.operand(x, Op::Neg)
                && let Some(result) = self.nested(|pool| {
                    let product = pool.mul(inner, y);
                    pool.neg(product)
                })
            {
                return result;
            }
            if let Some((inner, factor)) = self.operands(x, Op::Mul).filter(|&(_, f)| self.is_constant(f))
                && let Some(result) = self.nested(|pool| {
                    let product = pool.mul(inner, y);
                    pool.mul(product, factor)
                })
            {
                return result;
            }
        }
        self.intern(Op::Mul, self.sort(a), [a, b])
    }

    fn mul_constant(&mut self, a: TermId, factor: &BitVec) -> TermId {
        if let Some(value) = self.bitvec_value(a) {
            return self.bitvec_constant(&value.mul(factor));
        }
        if factor.is_zero() || factor.is_one() || self.is_atom(a) {
            return self.scaled(a, factor);
        }
        if let Some((condition, then, otherwise)) = self.branches(a)
            && let (Some(x), Some(y)) = (self.bitvec_value(then), self.bitvec_value(otherwise))
        {
            let then = self.bitvec_constant(&x.mul(factor));
            let otherwise = self.bitvec_constant(&y.mul(factor));
            return self.ite(condition, then, otherwise);
        }
        let mut product = Linear::new(BitVec::zero(factor.width()));
        // Multiplying a longer sum out would cost a multiplication for each summand, and the sum itself
        // is likely to be shared.
        if product.collect(self, a, factor.clone()) {
            product.normalise();
            if product.monomials.len() <= 1 {
                return self.linear_term(&product);
            }
        }
        self.scaled(a, factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_cancel() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(32)));
        let sum = pool.add(x, y);
        assert_eq!(pool.sub(sum, y), x);
        let one = pool.bitvec(32, 1);
        let mut counter = x;
        for _ in 0..1000 {
            counter = pool.add(counter, one);
        }
        let thousand = pool.bitvec(32, 1000);
        assert_eq!(counter, pool.add(x, thousand));
        let doubled = pool.add(x, x);
        let two = pool.bitvec(32, 2);
        assert_eq!(doubled, pool.mul(x, two));
        let tripled = pool.add(doubled, x);
        let three = pool.bitvec(32, 3);
        assert_eq!(tripled, pool.mul(three, x));
    }

    #[test]
    fn complement_is_negation_minus_one() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(8));
        let (one, complement) = (pool.bitvec(8, 1), pool.bit_not(x));
        assert_eq!(pool.add(complement, one), pool.neg(x));
        let negated = pool.neg(x);
        assert_eq!(pool.sub(negated, one), complement);
    }

    #[test]
    fn distributivity_is_seen() {
        let mut pool = TermPool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.variable(name, Sort::BitVec(32)));
        let sum = pool.add(b, c);
        let left = pool.mul(a, sum);
        let (ab, ac) = (pool.mul(a, b), pool.mul(a, c));
        let right = pool.add(ab, ac);
        assert_eq!(pool.eq(left, right), TermPool::TRUE);
    }

    #[test]
    fn long_sums_stay_linear() {
        let mut pool = TermPool::new();
        let mut sum = pool.bitvec(32, 0);
        for i in 0..10_000 {
            let x = pool.variable(&format!("x{i}"), Sort::BitVec(32));
            sum = pool.add(sum, x);
        }
        assert!(pool.len() < 20_010);
    }
}
