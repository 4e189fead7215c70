//! Questions that ranges answer: what cannot be true in any case.
//!
//! A question is mostly that the program goes some way and something happens there. The last conditions on the
//! way say between which numbers words lie that were free before, and what happens is a comparison of something that
//! is computed of them: the ends of a segment of a look-up table, and the value that is interpolated in it.

use super::Ranges;
use super::look::{FAR, Look, Reach};
use crate::bitblast::range::compare;
use smallvec::SmallVec;
use std::collections::BinaryHeap;
use term::{Op, TermId, TermPool};

/// The newest parts of a conjunction that are taken to hold.
const CONJUNCTS: usize = 32;

/// The newest ones among these, which are looked into.
const LOOKED_INTO: usize = 4;

/// Questions with more cases are left to others.
const CASES: usize = 256;

/// Cases inside of cases are looked at up to here.
const NESTED: u32 = 4;

type Parts = SmallVec<[TermId; CONJUNCTS]>;

/// The cases of a question that are possible, with their truth values: it is true if one of them is so.
pub struct Cases {
    pub possible: Vec<(TermId, bool)>,
    /// How many are not.
    pub excluded: usize,
}

impl Ranges {
    /// The cases of a condition whose parts have been looked at, `fuel` terms for each comparison.
    pub fn cases(&self, pool: &TermPool, condition: TermId, fuel: u32) -> Cases {
        let cases = match (pool.op(condition), pool.children(condition)) {
            (Op::Not, &[none]) if pool.op(none) == Op::And => {
                all_parts(pool, none).map(|cases| (cases, false))
            }
            _ => Some((SmallVec::from_elem(condition, 1), true)),
        };
        let Some((cases, holds)) = cases else {
            return Cases { possible: vec![(condition, true)], excluded: 0 };
        };
        let all = cases.len();
        let possible = cases.into_iter().filter(|&case| !self.exclude(pool, case, holds, fuel));
        let possible: Vec<_> = possible.map(|case| (case, holds)).collect();
        Cases { excluded: all - possible.len(), possible }
    }

    /// Whether a condition whose parts have been looked at cannot be true, or false.
    fn exclude(&self, pool: &TermPool, condition: TermId, holds: bool, fuel: u32) -> bool {
        let mut look = Look::new(pool, self, Reach { fuel, ..FAR });
        look.is_excluded(condition, holds, NESTED)
    }
}

impl Look<'_> {
    /// Whether something cannot be true, or false, along with what is assumed.
    fn is_excluded(&mut self, condition: TermId, holds: bool, nested: u32) -> bool {
        let pool = self.pool;
        let children = pool.children(condition);
        match pool.op(condition) {
            Op::Constant => pool.truth_value(condition) == Some(!holds),
            Op::Not => self.is_excluded(children[0], !holds, nested),
            Op::And if holds => self.are_excluded(condition, nested),
            Op::And if nested > 0 => all_parts(pool, condition)
                .is_some_and(|cases| cases.into_iter().all(|case| self.is_excluded(case, false, nested - 1))),
            op => self.under(condition, holds, |look| look.look_at(op, children, holds)).is_none(),
        }
    }

    /// Looks into the sides of a comparison. `None` if it does not come out like that.
    fn look_at(&mut self, op: Op, children: &[TermId], holds: bool) -> Option<()> {
        if !matches!(op, Op::Slt | Op::Ult | Op::Eq) || !self.is_word(children[0]) {
            return Some(());
        }
        self.fuel = self.reach.fuel;
        let (left, right) = (self.range(children[0])?, self.range(children[1])?);
        (compare(op, left, right) != Some(!holds)).then_some(())
    }

    /// Whether the newest parts of a conjunction contradict each other.
    fn are_excluded(&mut self, conjunction: TermId, nested: u32) -> bool {
        let parts = newest_parts(self.pool, conjunction, CONJUNCTS);
        let newest = || parts.iter().rev().take(LOOKED_INTO);
        let all = |look: &mut Self| newest().all(|&part| !look.is_excluded(part, true, nested));
        self.under_all(&parts, |look| all(look).then_some(())).is_none()
    }
}

/// The parts of a conjunction, the newest ones if there are too many, oldest first.
pub(super) fn newest_parts(pool: &TermPool, conjunction: TermId, most: usize) -> Parts {
    let mut parts = Parts::new();
    let mut open = BinaryHeap::from([conjunction]);
    while parts.len() < most
        && let Some(part) = open.pop()
    {
        match pool.op(part) {
            Op::And => open.extend(pool.children(part)),
            _ => parts.push(part),
        }
    }
    parts.reverse();
    parts
}

/// The parts of a conjunction, unless there are too many.
fn all_parts(pool: &TermPool, conjunction: TermId) -> Option<Parts> {
    let parts = newest_parts(pool, conjunction, CASES + 1);
    (parts.len() <= CASES).then_some(parts)
}
