//! The ranges of the words of a formula.
//!
//! A term's range follows from those of its parts, with some care about what plain intervals forget:
//! the sides of a choice are looked at under its condition, sums are looked at as a whole (so that
//! `x - x` is 0 and a filter `y + ((u - y) * a >> s)` stays between `y` and `u`), and conditions on a
//! sum are conditions on what it is made of. This looks at a few terms only, so it costs
//! little for each of them.

mod conditions;
mod floats;
mod look;
mod questions;
mod sums;
#[cfg(test)]
mod tests;

use super::forms::Forms;
use super::range::{Range, compare};
use base::{Budget, StopReason};
use floats::{FloatRange, is_float};
use look::{FAR, Look, NEAR};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Sort, TermId, TermPool};

/// Longer sums are not looked into.
const SUMMANDS: u32 = 3;

/// How far from its newest summand a sum is looked for.
const BESIDE: u32 = 16;

/// Chains of fewer choices are seen to the end anyway.
const LONG_CHAIN: usize = 4;

/// The ranges of words that are narrower than their sort.
#[derive(Default)]
pub struct Ranges {
    known: FxHashMap<TermId, Range>,
    /// The same for words as unsigned numbers, where the signed ones say less.
    naturals: FxHashMap<TermId, Range>,
    floats: FxHashMap<TermId, FloatRange>,
    forms: Forms,
    /// Long sums, and those of which more is known than of what they are made of.
    units: FxHashSet<TermId>,
    /// Chains of choices that have been looked at as a whole.
    chains: FxHashSet<TermId>,
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
        if is_new {
            self.learn_chains_below(pool, term);
        }
        if is_new
            && is_float(pool, term)
            && let Some(range) = Look::new(pool, self, NEAR).learn_float(term)
        {
            self.floats.insert(term, range);
        }
        let width = word_width(pool, term)?;
        if !is_new {
            return Some(self.of(pool, term));
        }
        self.forms.note(pool, term);
        self.learn_beside(pool, term);
        let full = Range::full(width);
        let mut look = Look::new(pool, self, NEAR);
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

    /// Long chains of choices are looked at as a whole where they are used: a condition at the top says something of what
    /// is chosen at the bottom.
    fn learn_chains_below(&mut self, pool: &TermPool, term: TermId) {
        if pool.op(term) == Op::Ite {
            return;
        }
        for &choice in pool.children(term).iter().filter(|&&part| is_long_chain(pool, part)) {
            if word_width(pool, choice).is_some()
                && self.chains.insert(choice)
                && let Some(range) = Look::new(pool, self, FAR).look_into(choice)
                && let Some(range) = range.intersection(self.of(pool, choice))
            {
                self.known.insert(choice, range);
            }
        }
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

fn signed(bits: u64, width: u32) -> i64 {
    (bits << (64 - width)) as i64 >> (64 - width)
}

/// Whether a term is a choice, one side of it another one, and so on.
fn is_long_chain(pool: &TermPool, term: TermId) -> bool {
    let is_choice = |part: &TermId| pool.op(*part) == Op::Ite;
    let next = |&choice: &TermId| pool.children(choice)[1..].iter().copied().find(is_choice);
    std::iter::successors(Some(term).filter(is_choice), next).nth(LONG_CHAIN - 1).is_some()
}

fn word_width(pool: &TermPool, term: TermId) -> Option<u32> {
    match pool.sort(term) {
        Sort::BitVec(width) if width <= 64 => Some(width),
        _ => None,
    }
}
