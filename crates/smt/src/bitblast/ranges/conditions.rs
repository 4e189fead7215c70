//! What conditions say of the words in them.

use super::Range;
use super::look::{Bounds, Look};
use super::questions::newest_parts;
use super::sums::Sum;
use smallvec::SmallVec;
use term::{Op, TermId};

/// The parts of a conjunction that are looked at, the newest ones.
const PARTS: usize = 32;

/// Conjunctions in disjunctions and the like are looked at so deep.
const NESTED: u32 = 6;

/// The same for bounds that follow from bounds.
const NESTED_LIMITS: u32 = 20;

impl Look<'_> {
    /// Adds what a condition says. `None` if it cannot be.
    pub(super) fn assume(&mut self, condition: TermId, holds: bool) -> Option<()> {
        let pool = self.pool;
        let children = pool.children(condition);
        if let Some(&(_, before)) = self.decided.iter().find(|(known, _)| *known == condition) {
            return (before == holds).then_some(());
        }
        self.decided.push((condition, holds));
        self.lowest = self.lowest.min(condition);
        match pool.op(condition) {
            Op::Constant => (pool.truth_value(condition) == Some(holds)).then_some(()),
            Op::Not => self.assume(children[0], !holds),
            Op::And => self.assume_parts(condition, holds),
            Op::Slt | Op::Ult | Op::Eq if self.is_word(children[0]) => {
                self.assume_compared(pool.op(condition), children[0], children[1], holds)
            }
            Op::FloatLt | Op::FloatLe => self.assume_floats(children[0], children[1], holds),
            _ => Some(()),
        }
    }

    /// All parts of a conjunction hold, or one of them does not.
    fn assume_parts(&mut self, conjunction: TermId, holds: bool) -> Option<()> {
        if self.fuel == 0 || self.nested == NESTED {
            return Some(());
        }
        self.fuel -= 1;
        self.nested += 1;
        let parts = newest_parts(self.pool, conjunction, PARTS);
        let result = match holds {
            true => parts.iter().try_for_each(|&part| self.assume(part, true)),
            // Some are left out: then it may be one of those.
            false if parts.len() == PARTS => Some(()),
            false => self.assume_one_is_false(&parts),
        };
        self.nested -= 1;
        result
    }

    /// One of some conditions is false: what all cases say of a word holds.
    fn assume_one_is_false(&mut self, conditions: &[TermId]) -> Option<()> {
        let mut possible =
            conditions.iter().filter_map(|&condition| Some((condition, self.bounds_under(condition)?)));
        let (first, mut all) = possible.next()?;
        let mut is_only_one = true;
        for (_, bounds) in possible {
            is_only_one = false;
            all.retain(|(term, range)| {
                // The last bound of a word is the best one.
                let other = bounds.iter().rev().find(|(bounded, _)| bounded == term);
                other.is_some_and(|(_, other)| {
                    *range = range.union(*other);
                    true
                })
            });
        }
        if is_only_one {
            return self.assume(first, false);
        }
        for (term, range) in all {
            let range = self.known(term)?.intersection(range)?;
            self.bound(term, range);
        }
        Some(())
    }

    /// The bounds that follow from a condition being false.
    fn bounds_under(&mut self, condition: TermId) -> Option<Bounds> {
        let before = self.bounds.len();
        self.under(condition, false, |look| Some(look.bounds[before..].iter().copied().collect()))
    }

    fn assume_naturals(&mut self, left: TermId, right: TermId, holds: bool) -> Option<()> {
        let (a, b) = (self.natural(left)?, self.natural(right)?);
        let [left_bound, right_bound] = match holds {
            true => [Range { low: 0, high: b.high - 1 }, Range { low: a.low + 1, high: i64::MAX }],
            false => [Range { low: b.low, high: i64::MAX }, Range { low: 0, high: a.high }],
        };
        self.naturals.push((left, left_bound.intersection(a)?));
        self.naturals.push((right, right_bound.intersection(b)?));
        self.lowest = self.lowest.min(left).min(right);
        Some(())
    }

    fn assume_compared(&mut self, op: Op, left: TermId, right: TermId, holds: bool) -> Option<()> {
        if op == Op::Ult && self.pool.width(left) < 64 {
            self.assume_naturals(left, right, holds)?;
        }
        let (a, b) = (self.known(left)?, self.known(right)?);
        let up_to = |high| Range { low: i64::MIN, high };
        let from = |low| Range { low, high: i64::MAX };
        let is_signed = op == Op::Slt || a.is_natural() && b.is_natural();
        match (op, holds) {
            (Op::Eq, true) => {
                let both = a.intersection(b)?;
                self.limit(left, both)?;
                self.limit(right, both)
            }
            (Op::Eq, false) => {
                self.assume_other(left, right)?;
                self.limit(left, a.without(b)?)?;
                self.limit(right, b.without(a)?)
            }
            (Op::Slt | Op::Ult, true) if is_signed => {
                self.limit(left, up_to(b.high.checked_sub(1)?))?;
                self.limit(right, from(a.low.checked_add(1)?))
            }
            (Op::Slt | Op::Ult, false) if is_signed => {
                self.limit(left, from(b.low))?;
                self.limit(right, up_to(a.high))
            }
            (Op::Ult, true) if b.is_natural() => {
                self.limit(left, Range { low: 0, high: b.high.checked_sub(1)? })
            }
            _ => Some(()),
        }
    }

    /// Two words are different as unsigned numbers.
    fn assume_other(&mut self, left: TermId, right: TermId) -> Option<()> {
        if self.pool.width(left) < 64 {
            let (a, b) = (self.natural(left)?, self.natural(right)?);
            self.naturals.push((left, a.without(b)?));
            self.naturals.push((right, b.without(a)?));
            self.lowest = self.lowest.min(left).min(right);
        }
        Some(())
    }

    fn bound(&mut self, term: TermId, range: Range) {
        self.bounds.push((term, range));
        self.lowest = self.lowest.min(term);
    }

    /// Notes a bound of a word, and what follows for its parts.
    pub(super) fn limit(&mut self, term: TermId, bound: Range) -> Option<()> {
        let range = self.known(term)?.intersection(bound)?;
        if self.fuel == 0 || self.nested >= NESTED_LIMITS || self.pool.is_constant(term) {
            return Some(());
        }
        self.fuel -= 1;
        self.bound(term, range);
        self.nested += 1;
        let result = self.limit_below(term, range);
        self.nested -= 1;
        result
    }

    fn limit_below(&mut self, term: TermId, range: Range) -> Option<()> {
        let children = self.pool.children(term);
        match self.pool.op(term) {
            Op::Add | Op::Neg | Op::Mul => {
                let sum = self.sum_of(term);
                self.limit_parts(&sum, range, self.pool.width(term))
            }
            Op::SignExtend => self.limit(children[0], range),
            Op::FloatToSigned => self.limit_converted(children[0], self.pool.width(term), range),
            Op::Concat if self.pool.small_value(children[0]) == Some(0) && range.is_natural() => {
                let part = children[1];
                self.naturals.push((part, self.natural(part)?.intersection(range)?));
                self.lowest = self.lowest.min(part);
                if range.high <= Range::full(self.pool.width(part)).high {
                    self.limit(part, range)
                } else {
                    Some(())
                }
            }
            _ => Some(()),
        }
    }

    /// What the range of a sum says of each part, given the others.
    fn limit_parts(&mut self, sum: &Sum, range: Range, width: u32) -> Option<()> {
        if sum.is_lost || sum.parts.len() > 3 {
            return Some(());
        }
        let mut ends = SmallVec::<[(i128, i128); 6]>::new();
        for &(factor, part) in &sum.parts {
            let Range { low, high } = self.known(part)?;
            let (a, b) = (factor * i128::from(low), factor * i128::from(high));
            ends.push((a.min(b), a.max(b)));
        }
        let add = |a: i128, b: i128| a.saturating_add(b);
        let low = ends.iter().fold(sum.constant, |low, end| add(low, end.0));
        let high = ends.iter().fold(sum.constant, |high, end| add(high, end.1));
        let full = Range::full(width);
        if low < full.low.into() || high > full.high.into() {
            return Some(());
        }
        for (&(factor, part), &(least, most)) in sum.parts.iter().zip(&ends) {
            // The others are at least `low - least` and at most `high - most`.
            let (from, to) = (i128::from(range.low) - (high - most), i128::from(range.high) - (low - least));
            let (from, to) = match factor {
                1 => (from, to),
                -1 => (-to, -from),
                _ => continue,
            };
            let clamp = |end: i128| end.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            let bound = Range { low: clamp(from), high: clamp(to) };
            match self.ranges.units.contains(&part) {
                true => self.bound(part, self.known(part)?.intersection(bound)?),
                false => self.limit(part, bound)?,
            }
        }
        Some(())
    }
}
