//! Differences that choices alone decide.
//!
//! Where ways through a program meet, each variable is a choice between its values on them. Two variables that change
//! together, such as a message and the copy that its sender has kept, are two such trees over values that may be
//! anything, but their difference is a tree over constants: it says how often one of them has changed alone. A solver
//! that has to find that out bit by bit takes very long for it; here, both trees are gone through at once,
//! pair by pair. If all pairs of leaves differ by constants, equality is a question about the choices only. That
//! is no gain where each part of one tree meets each part of the other: such trees are left alone.

use crate::bitvec::BitVec;
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::rewrite::linear::Linear;
use rustc_hash::FxHashSet;

/// New pairs that are looked at for one equality.
const MOST_PAIRS: usize = 4096;
/// More pairs than this must not be more than the terms that they consist of.
const FEW_PAIRS: usize = 32;
/// So many terms there are, at least, for each pair that has been looked at, but for the first few: what is
/// remembered of pairs does not take more memory than the terms.
const TERMS_PER_PAIR: usize = 3;

/// A difference of two terms.
enum Apart {
    Constant(BitVec),
    /// That of two atoms, and a constant.
    Pair((TermId, TermId), BitVec),
    /// Something else.
    Open,
}

/// A difference as choices between constants.
#[derive(Clone, Copy)]
pub(crate) struct Chosen {
    difference: TermId,
    /// The two terms themselves are more than that.
    is_common: bool,
}

/// The pairs that are looked at for one equality, and what they consist of.
#[derive(Default)]
struct Looked {
    pairs: Vec<(TermId, TermId)>,
    first: FxHashSet<TermId>,
    second: FxHashSet<TermId>,
}

impl Looked {
    fn add(&mut self, pair: (TermId, TermId)) {
        self.pairs.push(pair);
        self.first.insert(pair.0);
        self.second.insert(pair.1);
    }

    /// The parts of one tree meet many parts of the other.
    fn is_product(&self) -> bool {
        self.pairs.len() > FEW_PAIRS.max(self.first.len() + self.second.len())
    }
}

/// One step down both trees.
type Split = (TermId, (TermId, TermId), (TermId, TermId));

impl TermPool {
    /// `linear = 0`, if that is about the difference of two trees of choices over the same values.
    pub(super) fn eq_by_choices(&mut self, linear: &Linear<BitVec>) -> Option<TermId> {
        let Apart::Pair(pair, offset) = self.apart(linear) else { return None };
        if self.is_constant(pair.0) || self.is_constant(pair.1) || self.split(pair).is_none() {
            return None;
        }
        let (pair, expected) = match self.is_best_reversed(pair) {
            true => ((pair.1, pair.0), offset),
            false => (pair, offset.neg()),
        };
        // Trees of constants are best compared as they are: their difference has all pairs of them.
        let Chosen { difference, .. } = self.chosen_difference(pair).filter(|chosen| chosen.is_common)?;
        let expected = self.bitvec_constant(&expected);
        self.nested(|pool| pool.eq(difference, expected))
    }

    /// Whether more is known of the difference when it is taken the other way round.
    fn is_best_reversed(&mut self, (x, y): (TermId, TermId)) -> bool {
        for pair in [(x, y), (y, x)] {
            let Some((_, then, otherwise)) = self.split(pair) else { continue };
            for part in [then, otherwise] {
                if let Apart::Pair(inner, _) = self.apart_of(part)
                    && matches!(self.choices.get(&inner), Some(Some(_)))
                {
                    return pair == (y, x);
                }
            }
        }
        x < y
    }

    fn apart(&mut self, linear: &Linear<BitVec>) -> Apart {
        let constant = linear.constant.clone();
        let zero = |pool: &mut Self| pool.bitvec_constant(&BitVec::zero(constant.width()));
        match linear.monomials.as_slice() {
            [] => Apart::Constant(constant),
            [(atom, one)] if one.is_one() => Apart::Pair((*atom, zero(self)), constant),
            [(atom, minus)] if minus.is_ones() => Apart::Pair((zero(self), *atom), constant),
            [(x, one), (y, minus)] if one.is_one() && minus.is_ones() => Apart::Pair((*x, *y), constant),
            [(y, minus), (x, one)] if one.is_one() && minus.is_ones() => Apart::Pair((*x, *y), constant),
            _ => Apart::Open,
        }
    }

    fn apart_of(&mut self, (a, b): (TermId, TermId)) -> Apart {
        let one = BitVec::one(self.width(a));
        match self.difference(a, b, &one) {
            Some(difference) => self.apart(&difference.linear),
            None => Apart::Open,
        }
    }

    /// The difference of two atoms as choices between constants, if it is that.
    fn chosen_difference(&mut self, pair: (TermId, TermId)) -> Option<Chosen> {
        let most = FEW_PAIRS + self.len() / TERMS_PER_PAIR;
        let most = most.saturating_sub(self.choices.len()).min(MOST_PAIRS);
        let (mut open, mut looked) = (vec![pair], Looked::default());
        while let Some(&next) = open.last() {
            if self.choices.contains_key(&next) {
                open.pop();
                continue;
            }
            let Some((condition, then, otherwise)) = self.split(next) else {
                return self.not_chosen(&[open[0], next]);
            };
            let mut values = [None; 2];
            for (value, part) in values.iter_mut().zip([then, otherwise]) {
                *value = match self.apart_of(part) {
                    Apart::Constant(constant) => {
                        let difference = self.bitvec_constant(&constant);
                        Some(Chosen { difference, is_common: !self.is_constant(part.0) })
                    }
                    Apart::Open => return self.not_chosen(&[open[0], next]),
                    Apart::Pair(inner, offset) => match self.choices.get(&inner) {
                        Some(None) => return self.not_chosen(&[open[0], next]),
                        Some(&Some(chosen)) => {
                            let offset = self.bitvec_constant(&offset);
                            Some(Chosen { difference: self.add(chosen.difference, offset), ..chosen })
                        }
                        None if looked.pairs.len() >= most => return None,
                        None => {
                            looked.add(inner);
                            open.push(inner);
                            None
                        }
                    },
                };
            }
            if let [Some(then), Some(otherwise)] = values {
                let difference = self.ite(condition, then.difference, otherwise.difference);
                let is_common = then.is_common || otherwise.is_common;
                self.choices.insert(next, Some(Chosen { difference, is_common }));
                open.pop();
            }
            if looked.is_product() {
                return self.not_chosen(&[&looked.pairs[..], &open].concat());
            }
        }
        self.choices[&pair]
    }

    /// These pairs are not what is looked for, and neither is what depends on them.
    fn not_chosen(&mut self, pairs: &[(TermId, TermId)]) -> Option<Chosen> {
        self.choices.extend(pairs.iter().map(|&pair| (pair, None)));
        None
    }

    /// Takes the choice that was made last, in both atoms if it is the same one.
    fn split(&self, (x, y): (TermId, TermId)) -> Option<Split> {
        match (self.branches(x), self.branches(y)) {
            (Some((condition, x1, x2)), Some((other, y1, y2))) if condition == other => {
                Some((condition, (x1, y1), (x2, y2)))
            }
            (Some((condition, x1, x2)), _) if x > y || self.op(y) != Op::Ite => {
                Some((condition, (x1, y), (x2, y)))
            }
            (_, Some((condition, y1, y2))) => Some((condition, (x, y1), (x, y2))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    /// A message that is increased by others than the one who has kept a copy of it.
    #[test]
    fn what_two_values_have_in_common_does_not_matter() {
        let mut pool = TermPool::new();
        let zero = pool.bitvec(32, 0);
        let one = pool.bitvec(32, 1);
        let (mut message, mut copy, mut count) = (zero, zero, zero);
        for round in 0..500 {
            let [sent, changed] =
                ["sent", "changed"].map(|name| pool.variable(&format!("{name}{round}"), Sort::Bool));
            let input = pool.variable(&format!("input{round}"), Sort::BitVec(32));
            message = pool.ite(sent, input, message);
            copy = pool.ite(sent, input, copy);
            count = pool.ite(sent, zero, count);
            let increased = pool.add(message, one);
            message = pool.ite(changed, increased, message);
            let increased = pool.add(count, one);
            count = pool.ite(changed, increased, count);
            let difference = pool.eq(message, copy);
            assert_eq!(difference, pool.eq(count, zero));
        }
    }

    #[test]
    fn values_that_have_nothing_in_common_stay_as_they_are() {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.variable(name, Sort::BitVec(32)));
        let c = pool.variable("c", Sort::Bool);
        let (left, right) = (pool.ite(c, x, y), pool.ite(c, x, z));
        let expected = pool.eq(y, z);
        let equal = pool.eq(left, right);
        assert_eq!(equal, pool.or(c, expected));
    }
}
