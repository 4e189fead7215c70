//! The ranges of the words of a formula.
//!
//! A term's range follows from those of its parts, with some care about what plain intervals forget:
//! the sides of a choice are looked at under its condition, sums are looked at as a whole (so that
//! `x - x` is 0 and a filter `y + ((u - y) * a >> s)` stays between `y` and `u`), and conditions on a
//! sum are conditions on what it is made of. This looks at a few terms only, so it costs
//! little for each of them.

use super::forms::{Forms, Multiple};
use super::range::{Range, apply, compare};
use base::{Budget, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use term::{FloatValue, Op, Sort, TermId, TermPool};

/// The terms that are looked at for one range.
const FUEL: u32 = 100;

/// How deep that goes.
const DEPTH: u32 = 4;

/// How far below a term a condition has to say something for the term to be looked into.
const TOUCH: u32 = 3;

/// Longer sums are not looked into.
const SUMMANDS: u32 = 3;

/// How far from its newest summand a sum is looked for.
const BESIDE: u32 = 16;

/// The ranges of words that are narrower than their sort.
#[derive(Default)]
pub struct Ranges {
    known: FxHashMap<TermId, Range>,
    /// The same for words as unsigned numbers, where the signed ones say less.
    naturals: FxHashMap<TermId, Range>,
    forms: Forms,
    /// Long sums, and those of which more is known than of what they are made of.
    units: FxHashSet<TermId>,
    /// Terms that have been looked at, by id.
    seen: Vec<bool>,
}

impl Ranges {
    /// The range of a word of up to 64 bits.
    pub fn of(&self, pool: &TermPool, term: TermId) -> Range {
        let width = pool.width(term);
        match pool.small_value(term) {
            Some(bits) => Range::point(signed(bits, width)),
            None => self.known.get(&term).copied().unwrap_or(Range::full(width)),
        }
    }

    /// A comparison of words, if what is known of them is enough.
    pub fn decide(&self, pool: &TermPool, op: Op, left: TermId, right: TermId) -> Option<bool> {
        if !matches!(op, Op::Eq | Op::Slt | Op::Ult) {
            return None;
        }
        word_width(pool, left)?;
        compare(op, self.of(pool, left), self.of(pool, right))
    }

    /// Works out the range of a term whose parts have been looked at. `None` if it is no word, or a
    /// long one.
    pub fn learn(&mut self, pool: &TermPool, term: TermId) -> Option<Range> {
        let is_new = !self.is_seen(term);
        if self.seen.len() <= term.0 as usize {
            self.seen.resize(pool.len(), false);
        }
        self.seen[term.0 as usize] = true;
        let width = word_width(pool, term)?;
        if !is_new {
            return Some(self.of(pool, term));
        }
        self.forms.note(pool, term);
        self.learn_beside(pool, term);
        let full = Range::full(width);
        let mut look = Look::new(pool, self);
        let range =
            look.look_into(term).and_then(|range| range.intersection(look.known(term)?)).unwrap_or(full);
        let is_unit = pool.op(term) == Op::Add
            && (self.forms.size(term) > SUMMANDS || look.is_more_than_its_parts(term, range));
        let natural = look.learn_natural(term, width);
        if let Some(natural) = natural {
            self.naturals.insert(term, natural);
        }
        if is_unit {
            self.units.insert(term);
        }
        if range != full && !pool.is_constant(term) {
            self.known.insert(term, range);
        }
        Some(range)
    }

    /// The formula may have a sum only as a part of larger ones, into which it has been multiplied out. The
    /// sum itself has been made after its newest summand, though, and before those.
    fn learn_beside(&mut self, pool: &TermPool, sum: TermId) {
        let Some(newest) = self.forms.newest(sum) else { return };
        let beside = (newest.0 + 1..sum.0.min(newest.0 + BESIDE)).map(TermId);
        for other in beside.filter(|&other| pool.op(other) == Op::Add) {
            if !self.is_seen(other) && pool.children(other).iter().all(|&part| self.is_ready(pool, part)) {
                self.learn(pool, other);
            }
        }
    }

    fn is_ready(&self, pool: &TermPool, part: TermId) -> bool {
        self.is_seen(part) || pool.is_constant(part)
    }

    /// Works out the ranges of all words that a term depends on.
    pub fn learn_below(&mut self, pool: &TermPool, term: TermId, budget: &Budget) -> Result<(), StopReason> {
        for part in pool.reachable(&[term], |part| self.is_seen(part)) {
            budget.check()?;
            self.learn(pool, part);
        }
        Ok(())
    }

    fn is_seen(&self, term: TermId) -> bool {
        self.seen.get(term.0 as usize).copied().unwrap_or(false)
    }
}

/// A sum of words, each times a number, and a number.
#[derive(Clone, Default)]
struct Sum {
    parts: SmallVec<[(i128, TermId); 6]>,
    constant: i128,
    /// Numbers have become too large to calculate with.
    is_lost: bool,
}

/// Larger factors are not calculated with.
const LARGEST: i128 = 1 << 60;

/// Numbers and infinities, and whether NaN is one of the values, too.
#[derive(Clone, Copy)]
struct FloatRange {
    low: f64,
    high: f64,
    has_nan: bool,
}

const ANY_FLOAT: FloatRange = FloatRange { low: f64::NEG_INFINITY, high: f64::INFINITY, has_nan: true };

impl FloatRange {
    fn intersection(self, other: FloatRange) -> FloatRange {
        FloatRange {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            has_nan: self.has_nan && other.has_nan,
        }
    }

    fn union(self, other: FloatRange) -> FloatRange {
        FloatRange {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            has_nan: self.has_nan || other.has_nan,
        }
    }
}

/// A look at a term, under conditions.
struct Look<'a> {
    pool: &'a TermPool,
    ranges: &'a Ranges,
    bounds: SmallVec<[(TermId, Range); 16]>,
    /// Bounds of unsigned values, for words of less than 64 bits.
    naturals: SmallVec<[(TermId, Range); 8]>,
    floats: SmallVec<[(TermId, FloatRange); 4]>,
    /// Conditions that are taken to hold, or not to.
    decided: SmallVec<[(TermId, bool); 8]>,
    /// Conditions say nothing of terms before this one.
    lowest: TermId,
    fuel: u32,
    depth: u32,
}

impl<'a> Look<'a> {
    fn new(pool: &'a TermPool, ranges: &'a Ranges) -> Self {
        let (bounds, naturals) = (SmallVec::new(), SmallVec::new());
        let (floats, decided) = (SmallVec::new(), SmallVec::new());
        let lowest = TermId(u32::MAX);
        Self { pool, ranges, bounds, naturals, floats, decided, lowest, fuel: FUEL, depth: 0 }
    }

    /// What is known of the unsigned value of a word of less than 64 bits.
    fn natural(&self, term: TermId) -> Option<Range> {
        let known = match self.ranges.of(self.pool, term) {
            range if range.is_natural() => range,
            range if range.low == range.high => {
                Range::point(range.low & (i64::MAX >> (63 - self.pool.width(term))))
            }
            _ => self.ranges.naturals.get(&term).copied().unwrap_or(all_naturals(self.pool.width(term))),
        };
        let mut bounds = self.naturals.iter().filter(|(bounded, _)| *bounded == term);
        bounds.try_fold(known, |range, (_, bound)| range.intersection(*bound))
    }

    /// The range of a word as an unsigned number, if that says more than its range.
    fn learn_natural(&mut self, term: TermId, width: u32) -> Option<Range> {
        if width == 64 {
            return None;
        }
        (self.fuel, self.depth) = (FUEL, 0);
        let (known, found) = (self.natural(term)?, self.look_into_natural(term)?);
        found.intersection(known).filter(|&range| range != known)
    }

    /// The range of a word of less than 64 bits as an unsigned number.
    fn natural_range(&mut self, term: TermId) -> Option<Range> {
        let known = self.natural(term)?;
        let is_enough = self.fuel == 0 || self.depth == DEPTH || known.low == known.high;
        if is_enough || !self.is_touched(term, TOUCH) {
            return Some(known);
        }
        self.fuel -= 1;
        self.depth += 1;
        let found = self.look_into_natural(term);
        self.depth -= 1;
        found?.intersection(known)
    }

    fn look_into_natural(&mut self, term: TermId) -> Option<Range> {
        let (pool, all) = (self.pool, all_naturals(self.pool.width(term)));
        let children = pool.children(term);
        let found = match pool.op(term) {
            Op::Ite => {
                let then = self.under(children[0], true, |look| look.natural_range(children[1]));
                let otherwise = self.under(children[0], false, |look| look.natural_range(children[2]));
                either(then, otherwise)?
            }
            Op::Extract if pool.extract_low(term) == 0 && self.is_word(children[0]) => {
                self.range(children[0])?
            }
            Op::Add => match [0, 1].map(|index| pool.small_value(children[index])) {
                [_, Some(by)] => self.natural_range(children[0])?.plus(signed(by, pool.width(term))),
                [Some(by), _] => self.natural_range(children[1])?.plus(signed(by, pool.width(term))),
                _ => all,
            },
            _ => all,
        };
        Some(if found.low >= all.low && found.high <= all.high { found } else { all })
    }

    /// What is known of a term without looking into it. `None` if the conditions contradict it.
    fn known(&self, term: TermId) -> Option<Range> {
        let mut bounds = self.bounds.iter().filter(|(bounded, _)| *bounded == term);
        bounds.try_fold(self.ranges.of(self.pool, term), |range, (_, bound)| range.intersection(*bound))
    }

    /// The range of a word. `None` if the conditions contradict each other.
    fn range(&mut self, term: TermId) -> Option<Range> {
        let known = self.known(term)?;
        let is_enough = self.fuel == 0 || self.depth == DEPTH || known.low == known.high;
        if is_enough || self.ranges.units.contains(&term) || !self.is_touched(term, TOUCH) {
            return Some(known);
        }
        self.fuel -= 1;
        self.depth += 1;
        let found = self.look_into(term);
        self.depth -= 1;
        found?.intersection(known)
    }

    fn look_into(&mut self, term: TermId) -> Option<Range> {
        let width = self.pool.width(term);
        let children = self.pool.children(term);
        Some(match self.pool.op(term) {
            Op::Ite => self.choice(children[0], children[1], children[2])?,
            Op::Add | Op::Neg | Op::Mul => {
                let sum = self.sum_of(term);
                let range = match sum.parts.as_slice() {
                    [(1, part)] if *part == term => self.operation(term, width)?,
                    _ => self.sum(sum, width)?,
                };
                range.intersection(self.as_whole(term)?)?
            }
            Op::SignExtend => self.range(children[0])?,
            Op::Extract if self.is_word(children[0]) => {
                let (whole, low) = (self.range(children[0])?, self.pool.extract_low(term));
                Range::fitting((whole.low >> low).into(), (whole.high >> low).into(), width)
            }
            Op::Concat if self.pool.small_value(children[0]) == Some(0) => {
                let low = self.range(children[1])?;
                let natural = self.natural_range(children[1])?;
                if low.is_natural() { low.intersection(natural)? } else { natural }
            }
            Op::Concat => match self.multiplied(term) {
                Some((shift, whole)) => {
                    let mut sum = Sum::default();
                    self.add_to(&mut sum, 1 << shift, whole);
                    self.sum(sum, width)?
                }
                None => Range::full(width),
            },
            Op::BitNot => {
                let operand = self.range(children[0])?;
                Range { low: !operand.high, high: !operand.low }
            }
            Op::FloatToSigned => self.converted(children[0], width),
            _ => self.operation(term, width)?,
        })
    }

    fn is_word(&self, term: TermId) -> bool {
        word_width(self.pool, term).is_some()
    }

    fn operation(&mut self, term: TermId, width: u32) -> Option<Range> {
        let children = self.pool.children(term);
        match *children {
            [a, b] if is_word_operation(self.pool.op(term)) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                Some(apply(self.pool.op(term), a, b, width))
            }
            _ => Some(Range::full(width)),
        }
    }

    /// Both sides of a choice, each as far as the condition allows.
    fn choice(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> Option<Range> {
        let then = self.under(condition, true, |look| look.range(then));
        let otherwise = self.under(condition, false, |look| look.range(otherwise));
        either(then, otherwise)
    }

    /// Looks at something where a condition holds, or does not; what is assumed is forgotten then.
    fn under<R>(
        &mut self,
        condition: TermId,
        holds: bool,
        look: impl FnOnce(&mut Self) -> Option<R>,
    ) -> Option<R> {
        let before = (self.bounds.len(), self.floats.len(), self.naturals.len(), self.decided.len());
        let lowest = self.lowest;
        let result = self.assume(condition, holds).and_then(|()| look(self));
        self.bounds.truncate(before.0);
        self.floats.truncate(before.1);
        self.naturals.truncate(before.2);
        self.decided.truncate(before.3);
        self.lowest = lowest;
        result
    }

    /// The word that stands for a sum, if more is known of it than of what it is made of.
    fn whole(&self, sum: TermId) -> Option<Multiple> {
        let multiple = self.ranges.forms.multiple(self.pool, sum)?;
        self.ranges.units.contains(&multiple.of).then_some(multiple)
    }

    /// The range of a word that is a multiple of another one.
    fn as_whole(&mut self, term: TermId) -> Option<Range> {
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
    fn sum_of(&mut self, term: TermId) -> Sum {
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
    fn is_more_than_its_parts(&mut self, term: TermId, known: Range) -> bool {
        let sum = self.sum_of(term);
        let plain = self.plain(&sum, self.pool.width(term));
        plain.is_some_and(|plain| known.low > plain.low || known.high < plain.high)
    }

    /// Whether the conditions say something of a term or of what is right below it.
    fn is_touched(&self, term: TermId, depth: u32) -> bool {
        let is = |&(known, _): &(TermId, Range)| known == term;
        term >= self.lowest
            && (self.bounds.iter().any(is)
                || self.naturals.iter().any(is)
                || self.decided.iter().any(|&(known, _)| known == term)
                || self.floats.iter().any(|&(known, _)| known == term)
                || depth > 0 && self.pool.children(term).iter().any(|&part| self.is_touched(part, depth - 1)))
    }

    fn add_both(&mut self, sum: &mut Sum, factor: i128, halves: [Multiple; 2]) {
        for half in halves {
            sum.add_constant(factor, half.constant.into());
            let factor = sum.times(factor, half.factor);
            self.add_to(sum, factor, half.of);
        }
    }

    fn add_to(&mut self, sum: &mut Sum, factor: i128, term: TermId) {
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
    fn multiplied(&self, term: TermId) -> Option<(u32, TermId)> {
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
    fn sum(&mut self, sum: Sum, width: u32) -> Option<Range> {
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
    fn plain(&mut self, sum: &Sum, width: u32) -> Option<Range> {
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

    /// Adds what a condition says. `None` if it cannot be.
    fn assume(&mut self, condition: TermId, holds: bool) -> Option<()> {
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
            Op::And if holds && self.fuel > 0 => {
                self.fuel -= 1;
                self.assume(children[0], true)?;
                self.assume(children[1], true)
            }
            Op::Slt | Op::Ult | Op::Eq if self.is_word(children[0]) => {
                self.assume_compared(pool.op(condition), children[0], children[1], holds)
            }
            Op::FloatLt | Op::FloatLe => {
                self.assume_floats(children[0], children[1], holds);
                Some(())
            }
            _ => Some(()),
        }
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
    fn limit(&mut self, term: TermId, bound: Range) -> Option<()> {
        let range = self.known(term)?.intersection(bound)?;
        if self.fuel == 0 || self.pool.is_constant(term) {
            return Some(());
        }
        self.fuel -= 1;
        self.bound(term, range);
        let children = self.pool.children(term);
        match self.pool.op(term) {
            Op::Add | Op::Neg | Op::Mul => {
                let sum = self.sum_of(term);
                self.limit_parts(&sum, range, self.pool.width(term))
            }
            Op::SignExtend => self.limit(children[0], range),
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

    fn float_range(&mut self, term: TermId) -> FloatRange {
        let pool = self.pool;
        if let Some(value) = pool.float_value(term).and_then(number) {
            return FloatRange { low: value, high: value, has_nan: value.is_nan() };
        }
        let bounds = self.floats.iter().filter(|(bounded, _)| *bounded == term);
        let known = bounds.fold(ANY_FLOAT, |range, (_, bound)| range.intersection(*bound));
        if pool.op(term) != Op::Ite || self.fuel == 0 {
            return known;
        }
        self.fuel -= 1;
        let children = pool.children(term);
        let then = self.under(children[0], true, |look| Some(look.float_range(children[1])));
        let otherwise = self.under(children[0], false, |look| Some(look.float_range(children[2])));
        match (then, otherwise) {
            (Some(then), Some(otherwise)) => then.union(otherwise).intersection(known),
            (one, other) => one.or(other).unwrap_or(known).intersection(known),
        }
    }

    fn assume_floats(&mut self, left: TermId, right: TermId, holds: bool) {
        let (a, b) = (self.float_range(left), self.float_range(right));
        let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        let [left_bound, right_bound] = match holds {
            true => [
                FloatRange { low, high: b.high, has_nan: false },
                FloatRange { low: a.low, high, has_nan: false },
            ],
            // Not less: not smaller, or one of the two is a NaN.
            false => [
                FloatRange { low: if b.has_nan { low } else { b.low }, high, has_nan: true },
                FloatRange { low, high: if a.has_nan { high } else { a.high }, has_nan: true },
            ],
        };
        self.floats.push((left, left_bound));
        self.floats.push((right, right_bound));
        self.lowest = self.lowest.min(left).min(right);
    }

    /// A float as an integer, which is 0 if it has none.
    fn converted(&mut self, float: TermId, width: u32) -> Range {
        let FloatRange { low, high, .. } = self.float_range(float);
        let full = Range::full(width);
        let inside = |end: f64| end.abs() < 2f64.powi(62);
        if !inside(low) || !inside(high) {
            return full;
        }
        // Any rounding mode stays between these.
        let (low, high) = (low.floor() as i64, high.ceil() as i64);
        Range::fitting(low.min(0).into(), high.max(0).into(), width)
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

/// The range of one of two things, as far as they are possible.
fn either(one: Option<Range>, other: Option<Range>) -> Option<Range> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.union(other)),
        (one, other) => one.or(other),
    }
}

fn all_naturals(width: u32) -> Range {
    Range { low: 0, high: i64::MAX >> (63 - width) }
}

fn is_word_operation(op: Op) -> bool {
    use Op::*;
    matches!(op, Add | Mul | Sdiv | Udiv | Srem | Urem | Shl | Lshr | Ashr | BitAnd | BitOr | BitXor)
}

fn signed(bits: u64, width: u32) -> i64 {
    (bits << (64 - width)) as i64 >> (64 - width)
}

fn word_width(pool: &TermPool, term: TermId) -> Option<u32> {
    match pool.sort(term) {
        Sort::BitVec(width) if width <= 64 => Some(width),
        _ => None,
    }
}

fn number(value: FloatValue) -> Option<f64> {
    value.to_f64().or_else(|| value.to_f32().map(f64::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;
    use term::{BitVec, Value};

    /// Every range that is learnt, in the order of the terms.
    fn learn_all(pool: &TermPool) -> Ranges {
        let mut ranges = Ranges::default();
        for term in pool.ids() {
            ranges.learn(pool, term);
        }
        ranges
    }

    #[test]
    fn a_filter_stays_between_its_inputs() {
        let mut pool = TermPool::new();
        let [y, u] = ["y", "u"].map(|name| {
            let narrow = pool.variable(name, Sort::BitVec(16));
            pool.sign_extend(narrow, 32)
        });
        let (factor, shift) = (pool.bitvec(32, 42), pool.bitvec(32, 6));
        let difference = pool.sub(u, y);
        let product = pool.mul(difference, factor);
        let part = pool.ashr(product, shift);
        let next = pool.add(y, part);
        assert_eq!(learn_all(&pool).of(&pool, next), Range { low: -32768, high: 32767 });
    }

    #[test]
    fn a_rate_limiter_stays_between_its_inputs() {
        let mut pool = TermPool::new();
        let [last, u] = ["last", "u"].map(|name| {
            let narrow = pool.variable(name, Sort::BitVec(16));
            pool.sign_extend(narrow, 32)
        });
        let difference = pool.sub(u, last);
        let (most, least) = (pool.bitvec(32, 404), pool.bitvec(32, -296i64 as u64));
        let (too_much, too_little) = (pool.slt(most, difference), pool.slt(difference, least));
        let limited = pool.ite(too_little, least, difference);
        let limited = pool.ite(too_much, most, limited);
        let next = pool.add(last, limited);
        assert_eq!(learn_all(&pool).of(&pool, next), Range { low: -32768, high: 32767 });
    }

    /// What is sent to the limiter is multiplied out together with the sum of all steps so far.
    #[test]
    fn a_rate_limiter_behind_a_gain_stays_between_its_inputs_for_ever() {
        let mut pool = TermPool::new();
        let number = |pool: &mut TermPool, value: i64| pool.bitvec(32, value as u64);
        let mut last = number(&mut pool, -12663);
        for round in 0..60 {
            let narrow = pool.variable(&format!("u{round}"), Sort::BitVec(16));
            let wide = pool.sign_extend(narrow, 32);
            let u = saturated(&mut pool, wide, 27607, 30624);
            let (limit, mask) = (number(&mut pool, 29141), number(&mut pool, 3));
            let (is_large, status) = (pool.slt(limit, u), pool.bit_and(u, mask));
            let u = pool.ite(is_large, status, u);
            let (gain, divisor, bias) =
                (number(&mut pool, -565), number(&mut pool, 1327), number(&mut pool, -256));
            let scaled = pool.mul(u, gain);
            let scaled = pool.sdiv(scaled, divisor);
            let scaled = pool.add(scaled, bias);
            let difference = pool.sub(scaled, last);
            let limited = saturated(&mut pool, difference, -223, 322);
            last = pool.add(last, limited);
        }
        assert_eq!(learn_all(&pool).of(&pool, last), Range { low: -12663, high: -256 });
    }

    fn saturated(pool: &mut TermPool, value: TermId, least: i64, most: i64) -> TermId {
        let (least, most) = (pool.bitvec(32, least as u64), pool.bitvec(32, most as u64));
        let (too_much, too_little) = (pool.slt(most, value), pool.slt(value, least));
        let limited = pool.ite(too_little, least, value);
        pool.ite(too_much, most, limited)
    }

    #[test]
    fn a_counter_stops_at_its_limit() {
        let mut pool = TermPool::new();
        let count = pool.variable("count", Sort::BitVec(8));
        let wide = pool.zero_extend(count, 32);
        let (limit, one) = (pool.bitvec(32, 143), pool.bitvec(32, 1));
        let within = pool.slt(wide, limit);
        let more = pool.add(wide, one);
        let next = pool.ite(within, more, limit);
        assert_eq!(learn_all(&pool).of(&pool, next), Range { low: 1, high: 143 });
    }

    #[test]
    fn a_counter_of_a_byte_stops_at_more_than_half_of_it() {
        let mut pool = TermPool::new();
        let mut count = pool.bitvec(8, 0);
        let [zero, limit, one] = [0, 172, 1].map(|number| pool.bitvec(32, number));
        for round in 0..300 {
            let up = pool.variable(&format!("up{round}"), Sort::Bool);
            let wide = pool.zero_extend(count, 32);
            let (below, above) = (pool.slt(wide, limit), pool.slt(zero, wide));
            let more = pool.add(wide, one);
            let more = pool.extract(more, 7, 0);
            let less = pool.sub(wide, one);
            let less = pool.extract(less, 7, 0);
            let (more, less) = (pool.ite(below, more, count), pool.ite(above, less, count));
            count = pool.ite(up, more, less);
        }
        let wide = pool.zero_extend(count, 32);
        assert_eq!(learn_all(&pool).of(&pool, wide), Range { low: 0, high: 172 });
    }

    /// A step of a counter that is kept in fewer bits than are calculated with.
    fn narrow_step(pool: &mut TermPool, x: TermId, y: TermId, condition: TermId, by: u8) -> TermId {
        let (x, y) = (pool.extract(x, 3, 0), pool.extract(y, 3, 0));
        let one = pool.bitvec(4, by.into());
        let more = pool.add(x, one);
        let next = pool.ite(condition, more, y);
        pool.zero_extend(next, 6)
    }

    /// A term of words and conditions, made step by step from what was made before.
    fn build(pool: &mut TermPool, steps: &[(u8, u8, u8, u8)]) {
        const WIDTH: u32 = 6;
        let mut words = vec![pool.variable("x", Sort::BitVec(4)), pool.variable("y", Sort::BitVec(4))];
        words = vec![pool.sign_extend(words[0], WIDTH), pool.zero_extend(words[1], WIDTH)];
        let mut conditions = vec![TermPool::TRUE];
        for &(op, a, b, c) in steps {
            let (x, y) = (words[a as usize % words.len()], words[b as usize % words.len()]);
            let condition = conditions[c as usize % conditions.len()];
            let constant = pool.bitvec(WIDTH, c.into());
            let shift = pool.bitvec(WIDTH, u64::from(c) % 4);
            let word = match op % 16 {
                0 => pool.add(x, y),
                1 => pool.sub(x, y),
                2 => pool.mul(x, constant),
                3 => pool.mul(x, y),
                4 => pool.ashr(x, shift),
                5 => pool.lshr(x, shift),
                6 => pool.sdiv(x, constant),
                7 => pool.srem(x, y),
                8 => pool.urem(x, constant),
                9 => pool.bit_and(x, y),
                10 => pool.bit_or(x, y),
                11 => pool.add(x, constant),
                12 => pool.shl(x, shift),
                13 => narrow_step(pool, x, y, condition, c),
                _ => pool.ite(condition, x, y),
            };
            words.push(word);
            let compared = match op / 16 % 4 {
                0 => pool.slt(x, constant),
                1 => pool.slt(x, y),
                2 => pool.ult(x, y),
                _ => pool.eq(x, constant),
            };
            let negated = pool.not(condition);
            conditions.push(pool.and(compared, if c % 2 == 0 { condition } else { negated }));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default()
        })]
        #[test]
        fn every_value_is_in_its_range(steps in prop::collection::vec(any::<(u8, u8, u8, u8)>(), 1..14)) {
            let mut pool = TermPool::new();
            build(&mut pool, &steps);
            let ranges = learn_all(&pool);
            let (x, y) = (pool.variable("x", Sort::BitVec(4)), pool.variable("y", Sort::BitVec(4)));
            for assignment in 0..256u64 {
                let mut values = FxHashMap::default();
                values.insert(x, Value::BitVec(BitVec::new(4, assignment & 15)));
                values.insert(y, Value::BitVec(BitVec::new(4, assignment >> 4)));
                for term in pool.ids().filter(|&term| word_width(&pool, term).is_some()) {
                    let value = pool.evaluate_cached(term, &mut values);
                    let bits = value.as_bitvec().and_then(|bits| bits.to_u64()).expect("a short word");
                    let (range, value) = (ranges.of(&pool, term), signed(bits, pool.width(term)));
                    prop_assert!(range.low <= value && value <= range.high,
                        "{} is {value}, not in {range:?}", pool.to_smtlib(term));
                }
            }
        }
    }
}
