//! Sums as a whole.

use super::look::Look;
use super::{Range, either, signed};
use crate::bitblast::forms::Multiple;
use smallvec::SmallVec;
use term::{Op, TermId};

/// A sum of words, each times a number, and a number.
#[derive(Clone, Default)]
pub(super) struct Sum {
    pub(super) parts: SmallVec<[(i128, TermId); 6]>,
    pub(super) constant: i128,
    /// Numbers have become too large to calculate with.
    pub(super) is_lost: bool,
}

/// Larger factors are not calculated with.
const LARGEST: i128 = 1 << 60;

impl Look<'_> {
    /// The word that stands for a sum, if more is known of it than of what it is made of.
    pub(super) fn whole(&self, sum: TermId) -> Option<Multiple> {
        let multiple = self.ranges.forms.multiple(self.pool, sum)?;
        self.ranges.units.contains(&multiple.of).then_some(multiple)
    }

    /// The range of a word that is a multiple of another one.
    pub(super) fn as_whole(&mut self, term: TermId) -> Option<Range> {
        let width = self.pool.width(term);
        match self.whole(term).filter(|whole| whole.of != term) {
            Some(whole) => {
                let mut sum = Sum::default();
                sum.add_multiple(1, whole);
                self.plain(&sum, width)
            }
            None => Some(Range::full(width)),
        }
    }

    /// A sum as one of two words, if more is known of one of them than of what it is made of.
    fn halves(&self, sum: TermId) -> Option<[Multiple; 2]> {
        let splits = self.ranges.forms.splits(self.pool, sum);
        let units =
            |split: &[Multiple; 2]| split.iter().filter(|half| self.ranges.units.contains(&half.of)).count();
        // The first one is best if it is a sum, not just the newest summand.
        let best = |split: &[Multiple; 2]| (units(split), self.ranges.forms.size(split[0].of));
        splits.into_iter().max_by_key(best).filter(|split| units(split) > 0)
    }

    /// The term as a sum, as far as it is one.
    pub(super) fn sum_of(&mut self, term: TermId) -> Sum {
        let mut sum = Sum::default();
        if let Some(halves) = self.halves(term) {
            self.add_both(&mut sum, 1, halves);
            return sum;
        }
        if let Some(multiple) = self.whole(term).filter(|whole| whole.of != term) {
            sum.add_multiple(1, multiple);
            return sum;
        }
        match (self.pool.op(term), self.pool.children(term)) {
            (Op::Add, [a, b]) => {
                self.add_to(&mut sum, 1, *a);
                self.add_to(&mut sum, 1, *b);
            }
            _ => self.add_to(&mut sum, 1, term),
        }
        sum
    }

    /// Whether a sum lies in less than what follows from its parts.
    pub(super) fn is_more_than_its_parts(&mut self, term: TermId, known: Range) -> bool {
        let sum = self.sum_of(term);
        let plain = self.plain(&sum, self.pool.width(term));
        plain.is_some_and(|plain| known.low > plain.low || known.high < plain.high)
    }

    fn add_both(&mut self, sum: &mut Sum, factor: i128, halves: [Multiple; 2]) {
        for half in halves {
            sum.add_constant(factor, half.constant.into());
            let factor = sum.times(factor, half.factor);
            self.add_to(sum, factor, half.of);
        }
    }

    pub(super) fn add_to(&mut self, sum: &mut Sum, factor: i128, term: TermId) {
        let pool = self.pool;
        let width = pool.width(term);
        if let Some(bits) = pool.small_value(term) {
            return sum.add_constant(factor, signed(bits, width).into());
        }
        let children = pool.children(term);
        match pool.op(term) {
            _ if self.fuel == 0 => sum.add(factor, term),
            Op::Add => {
                self.fuel -= 1;
                match (self.whole(term), self.halves(term)) {
                    (Some(whole), halves) => match halves.filter(|halves| sum.has_one_of(halves)) {
                        Some(halves) => self.add_both(sum, factor, halves),
                        None => sum.add_multiple(factor, whole),
                    },
                    (None, Some(halves)) => self.add_both(sum, factor, halves),
                    (None, None) => {
                        self.add_to(sum, factor, children[0]);
                        self.add_to(sum, factor, children[1]);
                    }
                }
            }
            Op::Neg => self.add_to(sum, -factor, children[0]),
            Op::Mul => match [0, 1].map(|index| pool.small_value(children[index])) {
                [Some(bits), _] => {
                    let factor = sum.times(factor, signed(bits, width));
                    self.add_to(sum, factor, children[1]);
                }
                [_, Some(bits)] => {
                    let factor = sum.times(factor, signed(bits, width));
                    self.add_to(sum, factor, children[0]);
                }
                _ => sum.add(factor, term),
            },
            Op::Concat => match self.multiplied(term) {
                Some((shift, whole)) => {
                    let factor = sum.times(factor, 1 << shift);
                    self.add_to(sum, factor, whole);
                }
                None => sum.add(factor, term),
            },
            Op::SignExtend => match self.uncut(term) {
                Some(whole) => self.add_to(sum, factor, whole),
                None => sum.add(factor, term),
            },
            _ => sum.add(factor, term),
        }
    }

    /// A word shifted to the left is its low part with zeros behind. Which word, and how far?
    pub(super) fn multiplied(&self, term: TermId) -> Option<(u32, TermId)> {
        let (high, zeros) = (self.pool.children(term)[0], self.pool.children(term)[1]);
        let whole = *self.pool.children(high).first().filter(|_| self.pool.op(high) == Op::Extract)?;
        let is_shift = self.pool.small_value(zeros) == Some(0)
            && self.pool.extract_low(high) == 0
            && self.pool.width(whole) == self.pool.width(term);
        is_shift.then(|| (self.pool.width(zeros), whole))
    }

    /// The word of which this is the low part, if that is all of it.
    fn uncut(&self, extended: TermId) -> Option<TermId> {
        let low = self.pool.children(extended)[0];
        let whole = *self.pool.children(low).first().filter(|_| self.pool.op(low) == Op::Extract)?;
        if self.pool.extract_low(low) != 0 || self.pool.width(whole) != self.pool.width(extended) {
            return None;
        }
        let (part, all) = (Range::full(self.pool.width(low)), self.known(whole)?);
        (part.low <= all.low && all.high <= part.high).then_some(whole)
    }

    /// The range of a sum, in words of some width. A choice in it is looked at case by case if it is the
    /// newest part: then its condition may say something of the others.
    pub(super) fn sum(&mut self, sum: Sum, width: u32) -> Option<Range> {
        if let Some(&(factor, part)) = sum.parts.iter().max_by_key(|(_, part)| *part)
            && self.pool.op(part) == Op::Ite
            && self.fuel > 0
        {
            self.fuel -= 1;
            let (children, bound) = (self.pool.children(part), self.known(part)?);
            let mut case = |holds: bool, side: TermId| {
                let mut sum = sum.clone();
                sum.parts.retain(|(_, other)| *other != part);
                self.under(children[0], holds, |look| {
                    look.limit(side, bound)?;
                    look.add_to(&mut sum, factor, side);
                    look.sum(sum, width)
                })
            };
            let (then, otherwise) = (case(true, children[1]), case(false, children[2]));
            return either(then, otherwise)?.intersection(self.plain(&sum, width)?);
        }
        let mut range = self.plain(&sum, width)?;
        for index in 0..sum.parts.len() {
            if let Some((scaled, shift)) = self.before_shift(&sum, index, width) {
                let (low, high) = self.ends(&scaled)?;
                range = range.intersection(Range::fitting(low >> shift, high >> shift, width))?;
            }
        }
        Some(range)
    }

    /// The range of a sum as it follows from those of its parts.
    pub(super) fn plain(&mut self, sum: &Sum, width: u32) -> Option<Range> {
        let (low, high) = self.ends(sum)?;
        Some(Range::fitting(low, high, width))
    }

    /// Between which numbers a sum lies, if it is not cut off.
    fn ends(&mut self, sum: &Sum) -> Option<(i128, i128)> {
        if sum.is_lost {
            return Some((i128::MIN, i128::MAX));
        }
        let mut ends = (sum.constant, sum.constant);
        for &(factor, part) in &sum.parts {
            let Range { low, high } = self.range(part)?;
            let (a, b) = (factor * i128::from(low), factor * i128::from(high));
            ends = (ends.0.saturating_add(a.min(b)), ends.1.saturating_add(a.max(b)));
        }
        Some(ends)
    }

    /// For `a + (b >> s)`: the sum `a * 2^s + b`, of which this is the shifted value, and `s`.
    fn before_shift(&mut self, sum: &Sum, index: usize, width: u32) -> Option<(Sum, u32)> {
        let (1, part) = sum.parts[index] else { return None };
        let (inner, shift) = self.shifted(part, width)?;
        let inside = self.sum_of(inner);
        // What is shifted must be the sum itself, not what is left of it in a word.
        let (low, high) = self.ends(&inside)?;
        let full = Range::full(width);
        if low < full.low.into() || high > full.high.into() {
            return None;
        }
        let mut scaled = inside;
        scaled.add_constant(sum.constant, 1 << shift);
        for &(factor, other) in sum.parts.iter().filter(|(_, other)| *other != part) {
            scaled.add(factor.saturating_mul(1 << shift), other);
        }
        scaled.is_lost |= sum.is_lost;
        Some((scaled, shift))
    }

    /// A shift by a constant is the high bits, sign-extended.
    fn shifted(&self, part: TermId, width: u32) -> Option<(TermId, u32)> {
        let bits = *self.pool.children(part).first().filter(|_| self.pool.op(part) == Op::SignExtend)?;
        let inner = *self.pool.children(bits).first().filter(|_| self.pool.op(bits) == Op::Extract)?;
        let shift = self.pool.extract_low(bits);
        let is_shift = self.pool.width(inner) == width && shift + self.pool.width(bits) == width;
        is_shift.then_some((inner, shift))
    }
}

impl Sum {
    /// A factor times a number; 0 and lost if that is too large.
    fn times(&mut self, factor: i128, by: i64) -> i128 {
        let product = factor.saturating_mul(by.into());
        self.is_lost |= product.saturating_abs() > LARGEST;
        if self.is_lost { 0 } else { product }
    }

    fn add_multiple(&mut self, factor: i128, multiple: Multiple) {
        self.add_constant(factor, multiple.constant.into());
        let factor = self.times(factor, multiple.factor);
        self.add(factor, multiple.of);
    }

    fn has_one_of(&self, halves: &[Multiple; 2]) -> bool {
        self.parts.iter().any(|&(_, part)| halves.iter().any(|half| half.of == part))
    }

    fn add_constant(&mut self, factor: i128, by: i128) {
        self.constant = self.constant.saturating_add(factor.saturating_mul(by));
        self.is_lost |= self.constant.saturating_abs() > LARGEST << 60;
    }

    fn add(&mut self, factor: i128, term: TermId) {
        self.is_lost |= factor.saturating_abs() > LARGEST;
        if self.is_lost {
            return;
        }
        match self.parts.iter_mut().find(|(_, part)| *part == term) {
            Some((known, _)) => {
                *known += factor;
                self.is_lost |= known.abs() > LARGEST;
            }
            None => self.parts.push((factor, term)),
        }
        self.parts.retain(|(factor, _)| *factor != 0);
    }
}
