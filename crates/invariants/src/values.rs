//! The values of one observable.
//!
//! Values that the program names are told apart for ever, others as long as there are few. After
//! that the others are one [class](Class), with a range between constants of the program.

use crate::observable::Watched;
use sema::types::IntShape;
use std::collections::BTreeSet;
use term::{TermId, TermPool};

/// A value as bits, or any of those that are not told apart.
pub type Class = Option<u64>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    pub classes: BTreeSet<Class>,
    /// Values that the program does not name are not told apart any more.
    pub is_coarse: bool,
    /// From the first to the second, by value, if there is such a limit.
    pub range: Option<(i128, i128)>,
}

impl Values {
    pub const NONE: Values = Values { classes: BTreeSet::new(), is_coarse: false, range: None };

    /// Nothing is known.
    pub fn any(watched: &Watched) -> Values {
        let named = watched.named.iter().map(|&bits| Some(bits));
        Values { classes: named.chain([None]).collect(), is_coarse: true, range: None }
    }

    /// The class that a value is in now.
    pub fn class(&self, bits: u64, watched: &Watched) -> Class {
        (!self.is_coarse || watched.named.contains(&bits)).then_some(bits)
    }

    /// Adds a value; true if it is new.
    pub fn add(&mut self, bits: u64, watched: &Watched) -> bool {
        let mut new = self.classes.insert(self.class(bits, watched));
        if self.is_coarse {
            new |= self.widen([bits].into_iter(), watched);
        } else if self.classes.iter().flatten().filter(|bits| !watched.named.contains(bits)).count()
            > watched.capacity
        {
            self.coarsen(watched);
        }
        new
    }

    fn coarsen(&mut self, watched: &Watched) {
        let values: Vec<u64> = std::mem::take(&mut self.classes).into_iter().flatten().collect();
        self.is_coarse = true;
        self.classes = values.iter().map(|&bits| self.class(bits, watched)).collect();
        let first = value(values[0], watched.shape);
        self.range = Some((first, first));
        self.widen(values.into_iter(), watched);
    }

    /// Makes the range one between thresholds that has all the values; true if it changes.
    fn widen(&mut self, values: impl Iterator<Item = u64>, watched: &Watched) -> bool {
        let (shape, thresholds) = (watched.shape, &watched.thresholds);
        let Some((old_low, old_high)) = self.range else { return false };
        let values = values.map(|bits| value(bits, shape));
        let (low, high) = values.fold((old_low, old_high), |(low, high), v| (low.min(v), high.max(v)));
        if (low, high) == (old_low, old_high) {
            return false;
        }
        let (smallest, greatest) = limits(shape);
        let below = thresholds.iter().rev().find(|&&threshold| threshold <= low);
        let above = thresholds.iter().find(|&&threshold| threshold >= high);
        let low = below.copied().unwrap_or(smallest).max(smallest);
        let high = above.copied().unwrap_or(greatest).min(greatest);
        self.range = ((low, high) != (smallest, greatest)).then_some((low, high));
        true
    }

    pub fn contains(&self, bits: u64, watched: &Watched) -> bool {
        let value = value(bits, watched.shape);
        let in_range = self.range.is_none_or(|(low, high)| (low..=high).contains(&value));
        in_range && self.classes.contains(&self.class(bits, watched))
    }

    pub fn formula(&self, pool: &mut TermPool, term: TermId, watched: &Watched) -> TermId {
        let one = self.one_of(pool, term, watched, &self.classes);
        let Some((low, high)) = self.range else { return one };
        let width = watched.shape.width;
        let (low, high) = (pool.bitvec(width, low as u64), pool.bitvec(width, high as u64));
        let (above, below) = match watched.shape.signed {
            true => (pool.sle(low, term), pool.sle(term, high)),
            false => (pool.ule(low, term), pool.ule(term, high)),
        };
        pool.and_all([one, above, below])
    }

    /// The term is in one of the classes.
    pub fn one_of(
        &self,
        pool: &mut TermPool,
        term: TermId,
        of: &Watched,
        classes: &BTreeSet<Class>,
    ) -> TermId {
        if classes.contains(&None) {
            // All named values but those.
            let mut result = TermPool::TRUE;
            for &bits in of.named.iter().filter(|&&bits| !classes.contains(&Some(bits))) {
                let here = is(pool, term, bits);
                let elsewhere = pool.not(here);
                result = pool.and(result, elsewhere);
            }
            return result;
        }
        let cases: Vec<TermId> = classes.iter().flatten().map(|&bits| is(pool, term, bits)).collect();
        pool.or_all(cases)
    }
}

fn is(pool: &mut TermPool, term: TermId, bits: u64) -> TermId {
    let width = pool.width(term);
    let constant = pool.bitvec(width, bits);
    pool.eq(term, constant)
}

/// The number that bits stand for.
pub fn value(bits: u64, shape: IntShape) -> i128 {
    let negative = shape.signed && bits >> (shape.width - 1) & 1 == 1;
    i128::from(bits) - if negative { 1 << shape.width } else { 0 }
}

/// The bits of a number.
pub fn bits(value: i128, shape: IntShape) -> u64 {
    value as u64 & mask(shape.width)
}

/// The bits of a word.
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn limits(shape: IntShape) -> (i128, i128) {
    match shape.signed {
        true => (-(1 << (shape.width - 1)), (1 << (shape.width - 1)) - 1),
        false => (0, (1 << shape.width) - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observable::{Observable, Source};
    use cfa::VariableId;

    fn byte() -> Watched {
        Watched {
            observable: Observable::Value(Source::Variable(VariableId(0))),
            shape: IntShape { width: 8, signed: true },
            signed: true,
            named: std::rc::Rc::new([7].into_iter().collect()),
            thresholds: [-10, 0, 20, 100].into(),
            capacity: 2,
        }
    }

    #[test]
    fn values_become_ranges_between_thresholds_and_then_anything() {
        let (mut values, watched) = (Values::NONE, byte());
        for bits in [1, 7, 2, 3] {
            assert!(values.add(bits, &watched));
        }
        assert_eq!(values.range, Some((0, 20)));
        assert_eq!(values.classes, [None, Some(7)].into_iter().collect());
        assert!(!values.add(20, &watched));
        assert!(values.add(0xff, &watched));
        assert_eq!(values.range, Some((-10, 20)));
        values.add(0x80, &watched);
        values.add(0x7f, &watched);
        assert_eq!(values.range, None);
        assert!(values.contains(0x55, &watched));
    }
}
