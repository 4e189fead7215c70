//! A look at one term, under conditions.

use super::floats::FloatRange;
use super::sums::Sum;
use super::{Range, Ranges, all_naturals, either, signed, word_width};
use crate::bitblast::range::apply;
use smallvec::SmallVec;
use term::{Op, TermId, TermPool};

/// How much of a formula a look may see.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// The terms that are looked at for one range.
    pub fuel: u32,
    /// How deep that goes.
    pub depth: u32,
    /// How deep it goes in choices, which do not count otherwise: as many as a table has segments.
    pub choices: u32,
    /// How far below a term a condition has to say something for the term to be looked into.
    pub touch: u32,
}

/// For each term.
pub(super) const NEAR: Reach = Reach { fuel: 100, depth: 4, choices: 0, touch: 3 };

/// For long chains of choices, and for questions, of which there are few.
pub(super) const FAR: Reach = Reach { fuel: 2000, depth: 4, choices: 80, touch: 5 };

pub(super) type Bounds = SmallVec<[(TermId, Range); 16]>;

/// A look at a term, under conditions.
pub(super) struct Look<'a> {
    pub(super) pool: &'a TermPool,
    pub(super) ranges: &'a Ranges,
    pub(super) bounds: Bounds,
    /// Bounds of unsigned values, for words of less than 64 bits.
    pub(super) naturals: SmallVec<[(TermId, Range); 8]>,
    pub(super) floats: SmallVec<[(TermId, FloatRange); 4]>,
    /// Conditions that are taken to hold, or not to.
    pub(super) decided: SmallVec<[(TermId, bool); 8]>,
    /// Conditions say nothing of terms before this one.
    pub(super) lowest: TermId,
    pub(super) reach: Reach,
    pub(super) fuel: u32,
    depth: u32,
    /// How deep in choices.
    choices: u32,
    /// How deep in conditions.
    pub(super) nested: u32,
}

impl<'a> Look<'a> {
    pub(super) fn new(pool: &'a TermPool, ranges: &'a Ranges, reach: Reach) -> Self {
        let (bounds, naturals) = (SmallVec::new(), SmallVec::new());
        let (floats, decided) = (SmallVec::new(), SmallVec::new());
        let lowest = TermId(u32::MAX);
        Self {
            pool,
            ranges,
            bounds,
            naturals,
            floats,
            decided,
            lowest,
            reach,
            fuel: reach.fuel,
            depth: 0,
            choices: 0,
            nested: 0,
        }
    }

    /// What is known of the unsigned value of a word of less than 64 bits.
    pub(super) fn natural(&self, term: TermId) -> Option<Range> {
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
    pub(super) fn learn_natural(&mut self, term: TermId, width: u32) -> Option<Range> {
        if width == 64 {
            return None;
        }
        (self.fuel, self.depth) = (self.reach.fuel, 0);
        let (known, found) = (self.natural(term)?, self.look_into_natural(term)?);
        found.intersection(known).filter(|&range| range != known)
    }

    /// The range of a word of less than 64 bits as an unsigned number.
    pub(super) fn natural_range(&mut self, term: TermId) -> Option<Range> {
        let known = self.natural(term)?;
        self.deeper(term, known, Self::look_into_natural)
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
    pub(super) fn known(&self, term: TermId) -> Option<Range> {
        let mut bounds = self.bounds.iter().filter(|(bounded, _)| *bounded == term);
        bounds.try_fold(self.ranges.of(self.pool, term), |range, (_, bound)| range.intersection(*bound))
    }

    /// What looking into a term adds to what is known of it, if that may be something.
    fn deeper(
        &mut self,
        term: TermId,
        known: Range,
        look: impl FnOnce(&mut Self, TermId) -> Option<Range>,
    ) -> Option<Range> {
        if known.low == known.high || !self.may_look_into(term) {
            return Some(known);
        }
        self.descend(term, |all| look(all, term))?.intersection(known)
    }

    /// Whether there is something to find in a term, and it may be looked for.
    pub(super) fn may_look_into(&self, term: TermId) -> bool {
        let Reach { depth, touch, .. } = self.reach;
        let may = match self.counts_as_choice(term) {
            true => self.choices < self.reach.choices,
            false => self.depth < depth,
        };
        may && self.fuel > 0 && self.is_touched(term, touch)
    }

    fn counts_as_choice(&self, term: TermId) -> bool {
        self.reach.choices > 0 && self.pool.op(term) == Op::Ite
    }

    /// Looks at what is below a term.
    pub(super) fn descend<R>(&mut self, term: TermId, look: impl FnOnce(&mut Self) -> R) -> R {
        let is_choice = self.counts_as_choice(term);
        self.fuel -= 1;
        self.depth += u32::from(!is_choice);
        self.choices += u32::from(is_choice);
        let found = look(self);
        self.depth -= u32::from(!is_choice);
        self.choices -= u32::from(is_choice);
        found
    }

    /// The range of a word. `None` if the conditions contradict each other.
    pub(super) fn range(&mut self, term: TermId) -> Option<Range> {
        let known = self.known(term)?;
        if self.ranges.units.contains(&term) {
            return known.intersection(self.as_whole(term)?);
        }
        self.deeper(term, known, Self::look_into)
    }

    pub(super) fn look_into(&mut self, term: TermId) -> Option<Range> {
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
            Op::FloatToSigned => self.converted(children[0], width)?,
            _ => self.operation(term, width)?,
        })
    }

    pub(super) fn is_word(&self, term: TermId) -> bool {
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
    pub(super) fn under<R>(
        &mut self,
        condition: TermId,
        holds: bool,
        look: impl FnOnce(&mut Self) -> Option<R>,
    ) -> Option<R> {
        self.forgetting(|all| {
            all.assume(condition, holds)?;
            look(all)
        })
    }

    /// The same where several conditions hold.
    pub(super) fn under_all<R>(
        &mut self,
        conditions: &[TermId],
        look: impl FnOnce(&mut Self) -> Option<R>,
    ) -> Option<R> {
        self.forgetting(|all| {
            for &condition in conditions {
                all.fuel = NEAR.fuel.min(all.reach.fuel / 4);
                all.assume(condition, true)?;
            }
            look(all)
        })
    }

    /// Does something, and forgets what is assumed meanwhile.
    fn forgetting<R>(&mut self, look: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        let before = (self.bounds.len(), self.floats.len(), self.naturals.len(), self.decided.len());
        let lowest = self.lowest;
        let result = look(self);
        self.bounds.truncate(before.0);
        self.floats.truncate(before.1);
        self.naturals.truncate(before.2);
        self.decided.truncate(before.3);
        self.lowest = lowest;
        result
    }

    /// Whether the conditions say something of a term or of what is right below it.
    fn is_touched(&self, term: TermId, depth: u32) -> bool {
        let is = |&(known, _): &(TermId, Range)| known == term;
        term >= self.lowest
            && (self.bounds.iter().any(is)
                || self.naturals.iter().any(is)
                || self.decided.iter().any(|&(known, _)| known == term)
                || self.floats.iter().any(|&(known, _)| known == term)
                || depth > 0 && self.pool.children(term).iter().any(|&part| self.is_touched(part, depth - 1))
                || self.whole(term).is_some_and(|whole| whole.of != term && self.is_touched(whole.of, 0)))
    }
}

fn is_word_operation(op: Op) -> bool {
    use Op::*;
    matches!(op, Add | Mul | Sdiv | Udiv | Srem | Urem | Shl | Lshr | Ashr | BitAnd | BitOr | BitXor)
}
