//! Walking over terms: the terms below a root in topological order, free variables, size, and
//! substitution. All of it is iterative.

use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;
use rustc_hash::{FxHashMap, FxHashSet};

impl TermPool {
    /// The terms below the roots, and the roots, each once, children before parents. Terms for
    /// which `skip` holds are left out, and so is what only they need.
    pub fn reachable(&self, roots: &[TermId], skip: impl FnMut(TermId) -> bool) -> Vec<TermId> {
        self.reachable_down_to(roots, skip, |_| false)
    }

    /// Like [`reachable`](Self::reachable), but nothing below a leaf is looked at.
    pub fn reachable_down_to(
        &self,
        roots: &[TermId],
        mut skip: impl FnMut(TermId) -> bool,
        is_leaf: impl Fn(TermId) -> bool,
    ) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack = Vec::new();
        for &root in roots {
            stack.push(root);
            while let Some(term) = stack.pop() {
                if seen.insert(term) && !skip(term) {
                    found.push(term);
                    let below = if is_leaf(term) { &[] } else { self.children(term) };
                    stack.extend_from_slice(below);
                }
            }
        }
        // Ids are a topological order.
        found.sort_unstable();
        found
    }

    /// The variables that occur in the terms, by id.
    pub fn free_variables(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut terms = self.reachable(roots, |_| false);
        terms.retain(|&term| self.op(term) == Op::Variable);
        terms
    }

    /// The number of different terms at and below the roots.
    pub fn dag_size(&self, roots: &[TermId]) -> usize {
        self.reachable(roots, |_| false).len()
    }

    /// The term with other terms in the place of some of its parts (all at once).
    pub fn substitute(&mut self, term: TermId, replacements: &FxHashMap<TermId, TermId>) -> TermId {
        let mut cache = replacements.clone();
        self.substitute_cached(term, &mut cache)
    }

    /// Like [`substitute`](Self::substitute), for many terms: what was replaced is remembered in
    /// `cache`, which holds the replacements at first.
    pub fn substitute_cached(&mut self, term: TermId, cache: &mut FxHashMap<TermId, TermId>) -> TermId {
        for old in self.reachable(&[term], |term| cache.contains_key(&term)) {
            let children = self.children(old);
            let mut replaced = [TermId(0); 3];
            let count = children.len();
            let mut changed = false;
            for (slot, child) in replaced.iter_mut().zip(children) {
                *slot = cache.get(child).copied().unwrap_or(*child);
                changed |= slot != child;
            }
            let new = if changed { self.rebuild(old, &replaced[..count]) } else { old };
            cache.insert(old, new);
        }
        cache.get(&term).copied().unwrap_or(term)
    }

    /// The operator of `like` applied to other children of the same sorts.
    ///
    /// # Panics
    /// If the number of children is not that of the operator.
    pub fn rebuild(&mut self, like: TermId, children: &[TermId]) -> TermId {
        match *children {
            [] => like,
            [a] => self.rebuild_unary(like, a),
            [a, b] => self.rebuild_binary(like, a, b),
            [a, b, c] => match self.op(like) {
                Op::Ite => self.ite(a, b, c),
                Op::Store => self.store(a, b, c),
                Op::FloatFma => self.float_fma(self.rounding_mode(like), a, b, c),
                op => unreachable!("{op:?} does not have three operands"),
            },
            _ => unreachable!("no operator has more than three operands"),
        }
    }

    fn rebuild_unary(&mut self, like: TermId, a: TermId) -> TermId {
        let mode = self.rounding_mode(like);
        let sort = self.sort(like);
        match (self.op(like), sort) {
            (Op::Not, _) => self.not(a),
            (Op::BitNot, _) => self.bit_not(a),
            (Op::Neg, _) => self.neg(a),
            (Op::Extract, Sort::BitVec(width)) => {
                let low = self.extract_low(like);
                self.extract(a, low + width - 1, low)
            }
            (Op::SignExtend, Sort::BitVec(width)) => self.sign_extend(a, width),
            (Op::ConstantArray, Sort::Array { index, .. }) => self.constant_array(index, a),
            (Op::FloatSqrt, _) => self.float_sqrt(mode, a),
            (Op::FloatRoundToIntegral, _) => self.float_round_to_integral(mode, a),
            (Op::FloatNeg, _) => self.float_neg(a),
            (Op::FloatAbs, _) => self.float_abs(a),
            (Op::FloatIsNan, _) => self.float_is_nan(a),
            (Op::FloatIsInfinite, _) => self.float_is_infinite(a),
            (Op::FloatIsZero, _) => self.float_is_zero(a),
            (Op::FloatIsNormal, _) => self.float_is_normal(a),
            (Op::FloatIsSubnormal, _) => self.float_is_subnormal(a),
            (Op::FloatIsNegative, _) => self.float_is_negative(a),
            (Op::FloatFromBits, Sort::Float(format)) => self.float_from_bits(format, a),
            (Op::FloatToBits, _) => self.float_to_bits(a),
            (Op::FloatFromFloat, Sort::Float(format)) => self.float_to_float(mode, format, a),
            (Op::FloatFromSigned, Sort::Float(format)) => self.float_from_signed(mode, format, a),
            (Op::FloatFromUnsigned, Sort::Float(format)) => self.float_from_unsigned(mode, format, a),
            (Op::FloatToSigned, Sort::BitVec(width)) => self.float_to_signed(mode, width, a),
            (Op::FloatToUnsigned, Sort::BitVec(width)) => self.float_to_unsigned(mode, width, a),
            (op, sort) => unreachable!("{op:?} of sort {sort:?} does not have one operand"),
        }
    }

    fn rebuild_binary(&mut self, like: TermId, a: TermId, b: TermId) -> TermId {
        let mode = self.rounding_mode(like);
        match self.op(like) {
            Op::And => self.and(a, b),
            Op::Eq => self.eq(a, b),
            Op::BitAnd => self.bit_and(a, b),
            Op::BitOr => self.bit_or(a, b),
            Op::BitXor => self.bit_xor(a, b),
            Op::Add => self.add(a, b),
            Op::Mul => self.mul(a, b),
            Op::Udiv => self.udiv(a, b),
            Op::Urem => self.urem(a, b),
            Op::Sdiv => self.sdiv(a, b),
            Op::Srem => self.srem(a, b),
            Op::Shl => self.shl(a, b),
            Op::Lshr => self.lshr(a, b),
            Op::Ashr => self.ashr(a, b),
            Op::Ult => self.ult(a, b),
            Op::Slt => self.slt(a, b),
            Op::Concat => self.concat(a, b),
            Op::Select => self.select(a, b),
            Op::FloatAdd => self.float_add(mode, a, b),
            Op::FloatMul => self.float_mul(mode, a, b),
            Op::FloatDiv => self.float_div(mode, a, b),
            Op::FloatRem => self.float_rem(a, b),
            Op::FloatEq => self.float_eq(a, b),
            Op::FloatLt => self.float_lt(a, b),
            Op::FloatLe => self.float_le(a, b),
            Op::IntAdd => self.int_add(a, b),
            Op::IntMul => self.int_mul(a, b),
            Op::IntDiv => self.int_div(a, b),
            Op::IntMod => self.int_mod(a, b),
            Op::IntLt => self.int_lt(a, b),
            op => unreachable!("{op:?} does not have two operands"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substitution_is_simultaneous() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(8)));
        let difference = pool.sub(x, y);
        let swapped = pool.substitute(difference, &FxHashMap::from_iter([(x, y), (y, x)]));
        assert_eq!(swapped, pool.sub(y, x));
        assert_eq!(pool.free_variables(&[difference]), [x, y]);
    }

    #[test]
    fn a_million_levels() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(32)));
        let mut deep = x;
        for _ in 0..500_000 {
            deep = pool.bit_xor(deep, y);
            deep = pool.mul(deep, x);
        }
        assert!(pool.dag_size(&[deep]) >= 1_000_000);
        let z = pool.variable("z", Sort::BitVec(32));
        let replaced = pool.substitute(deep, &FxHashMap::from_iter([(x, z)]));
        assert_eq!(pool.free_variables(&[replaced]), [y, z]);
    }
}
