//! Long sums, and long chains of `&`, `|` and `^`: two of the same parts, in whatever order, are the same.
//!
//! Other rules look at a few parts of a sum, since they are applied to every term that is built. A program
//! that adds up an array compares the sum once, at its end, and then all parts have to be looked at. That is
//! done as long as all such looks together have not passed many more nodes than there are terms.

use crate::bitvec::BitVec;
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::rewrite::linear::Difference;

/// Nodes that may be looked at, for each term that there is.
const NODES_PER_TERM: usize = 8;
/// How far a comparison of equal operators goes down to their operands.
const DEEPEST: u32 = 8;

/// The difference of two long sums is of interest if it has so few parts.
const FEW: usize = 8;

impl TermPool {
    /// Whether two bit-vectors are the same, up to the order in which parts are put together. Sums
    /// themselves are left to their difference.
    pub(super) fn same_parts(&mut self, a: TermId, b: TermId) -> bool {
        self.op(a) == self.op(b) && !is_sum(self.op(a)) && self.look(|look| look.is_same(a, b, DEEPEST))
    }

    /// The difference of two long sums that have nearly all parts in common.
    pub(super) fn long_difference(&mut self, a: TermId, b: TermId) -> Option<Difference<BitVec>> {
        let one = BitVec::one(self.width(a));
        let difference = self.look(|look| look.pool.difference_within(a, b, &one, &mut look.left))?;
        (difference.linear.monomials.len() <= FEW).then_some(difference)
    }

    fn look<T>(&mut self, at: impl FnOnce(&mut Look<'_>) -> T) -> T {
        let allowance = (NODES_PER_TERM * self.len()).saturating_sub(self.looked_at) / 2;
        let mut look = Look { pool: self, left: allowance };
        let found = at(&mut look);
        let left = look.left;
        self.looked_at += allowance - left;
        found
    }
}

/// A look at the parts of terms, and how many nodes it may still pass.
struct Look<'a> {
    pool: &'a TermPool,
    left: usize,
}

impl Look<'_> {
    fn is_same(&mut self, a: TermId, b: TermId, depth: u32) -> bool {
        if a == b {
            return true;
        }
        let (op, other) = (self.pool.op(a), self.pool.op(b));
        match op {
            _ if is_sum(op) || is_sum(other) => self.is_same_sum(a, b),
            _ if op != other => false,
            Op::BitAnd | Op::BitOr | Op::BitXor => self.is_same_chain(op, a, b),
            Op::Extract if self.pool.extract_low(a) != self.pool.extract_low(b) => false,
            Op::Extract | Op::SignExtend | Op::Concat | Op::Udiv | Op::Sdiv | Op::Urem | Op::Srem => {
                self.have_same_operands(a, b, depth)
            }
            _ => false,
        }
    }

    fn have_same_operands(&mut self, a: TermId, b: TermId, depth: u32) -> bool {
        let pairs = self.pool.children(a).iter().zip(self.pool.children(b));
        depth > 0
            && pairs
                .into_iter()
                .all(|(&x, &y)| self.pool.sort(x) == self.pool.sort(y) && self.is_same(x, y, depth - 1))
    }

    fn is_same_sum(&mut self, a: TermId, b: TermId) -> bool {
        let one = BitVec::one(self.pool.width(a));
        let difference = self.pool.difference_within(a, b, &one, &mut self.left);
        difference
            .is_some_and(|Difference { linear, .. }| linear.monomials.is_empty() && linear.constant.is_zero())
    }

    fn is_same_chain(&mut self, op: Op, a: TermId, b: TermId) -> bool {
        match (self.links(op, a), self.links(op, b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }

    /// What a chain of one operator consists of, in order, without what makes no difference: terms, and
    /// from which bit on they are taken. Slices may have been taken of the links, or of all the chain.
    fn links(&mut self, op: Op, chain: TermId) -> Option<Vec<(TermId, u32)>> {
        let width = self.pool.width(chain);
        let mut links = Vec::new();
        let mut stack = vec![(chain, 0)];
        while let Some((term, low)) = stack.pop() {
            self.left = self.left.checked_sub(1)?;
            match (self.pool.op(term), self.pool.children(term)) {
                (this, &[first, second]) if this == op => stack.extend([(first, low), (second, low)]),
                (Op::Extract, &[inner]) => stack.push((inner, low + self.pool.extract_low(term))),
                (Op::SignExtend, &[inner]) if low + width <= self.pool.width(inner) => {
                    stack.push((inner, low))
                }
                _ => links.push((term, low)),
            }
        }
        links.sort_unstable();
        if op == Op::BitXor {
            let odd = links.chunk_by(PartialEq::eq).filter(|same| same.len() % 2 == 1);
            links = odd.map(|same| same[0]).collect();
        } else {
            links.dedup();
        }
        Some(links)
    }
}

fn is_sum(op: Op) -> bool {
    matches!(op, Op::Add | Op::Neg | Op::Mul | Op::BitNot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    const COUNT: usize = 1000;

    fn words(pool: &mut TermPool) -> Vec<TermId> {
        (0..COUNT).map(|index| pool.variable(&format!("x{index}"), Sort::BitVec(32))).collect()
    }

    /// The parts from the first to the last, and from the last to the first.
    fn both_ways(
        pool: &mut TermPool,
        parts: &[TermId],
        combine: fn(&mut TermPool, TermId, TermId) -> TermId,
    ) -> (TermId, TermId) {
        let forwards = parts.iter().copied().reduce(|sum, part| combine(pool, sum, part));
        let backwards = parts.iter().rev().copied().reduce(|sum, part| combine(pool, sum, part));
        (forwards.unwrap(), backwards.unwrap())
    }

    #[test]
    fn the_order_of_parts_makes_no_difference() {
        let mut pool = TermPool::new();
        let parts = words(&mut pool);
        for combine in [TermPool::add, TermPool::bit_and, TermPool::bit_or, TermPool::bit_xor] {
            let (a, b) = both_ways(&mut pool, &parts, combine);
            assert_eq!(pool.eq(a, b), TermPool::TRUE);
            let (fewer, _) = both_ways(&mut pool, &parts[1..], combine);
            let equal = pool.eq(a, fewer);
            assert_eq!(pool.truth_value(equal), None);
        }
    }

    #[test]
    fn parts_of_larger_terms_are_found() {
        let mut pool = TermPool::new();
        let parts = words(&mut pool);
        let wide: Vec<_> = parts.iter().map(|&part| pool.sign_extend(part, 64)).collect();
        let (a, b) = both_ways(&mut pool, &wide, TermPool::add);
        let count = pool.bitvec(64, COUNT as u64);
        let (a, b) = (pool.sdiv(a, count), pool.sdiv(b, count));
        let (low, other) = (pool.extract(a, 31, 0), pool.extract(b, 31, 0));
        assert_eq!(pool.eq(low, other), TermPool::TRUE);
        let high = pool.extract(b, 32, 1);
        let equal = pool.eq(low, high);
        assert_eq!(pool.truth_value(equal), None);
    }

    #[test]
    fn slices_of_chains_are_chains_of_slices() {
        let mut pool = TermPool::new();
        let parts = words(&mut pool);
        let wide: Vec<_> = parts.iter().map(|&part| pool.sign_extend(part, 64)).collect();
        let (a, b) = both_ways(&mut pool, &wide, TermPool::bit_or);
        let (low, other) = (pool.extract(a, 31, 0), pool.extract(b, 31, 0));
        assert_eq!(pool.eq(low, other), TermPool::TRUE);
        let across = pool.extract(b, 47, 16);
        let equal = pool.eq(low, across);
        assert_eq!(pool.truth_value(equal), None);
    }

    #[test]
    fn what_is_added_and_taken_away_is_nothing() {
        let mut pool = TermPool::new();
        let parts = words(&mut pool);
        let zero = pool.bitvec(32, 0);
        let mut sum = parts.iter().fold(zero, |sum, &part| pool.add(sum, part));
        for &part in &parts {
            sum = pool.sub(sum, part);
        }
        assert_eq!(pool.eq(sum, zero), TermPool::TRUE);
    }

    #[test]
    fn what_sums_have_in_common_is_cancelled() {
        let mut pool = TermPool::new();
        let parts = words(&mut pool);
        let (a, _) = both_ways(&mut pool, &parts[1..], TermPool::add);
        let (_, b) = both_ways(&mut pool, &parts[..COUNT - 1], TermPool::add);
        assert_eq!(pool.eq(a, b), pool.eq(parts[0], parts[COUNT - 1]));
    }

    #[test]
    fn looking_takes_no_more_than_building() {
        let mut pool = TermPool::new();
        let parts = words(&mut pool);
        let mut sums = (parts[0], parts[COUNT - 1]);
        for index in 1..COUNT {
            sums = (pool.add(sums.0, parts[index]), pool.add(sums.1, parts[COUNT - 1 - index]));
            pool.eq(sums.0, sums.1);
        }
        assert!(pool.looked_at <= NODES_PER_TERM * pool.len(), "{} of {}", pool.looked_at, pool.len());
    }
}
