//! What can be said about the unsigned value of a term by a short look at it.

use crate::bitvec::mask;
use crate::op::Op;
use crate::pool::{TermId, TermPool};

/// How far the look goes down.
const LOOK: u32 = 4;

/// Inclusive bounds of an unsigned value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub low: u64,
    pub high: u64,
}

impl TermPool {
    /// Bounds of a term of up to 64 bits.
    pub(super) fn unsigned_range(&self, term: TermId) -> Option<Range> {
        let width = self.width(term);
        (width <= 64).then(|| self.range_within(term, width, LOOK))
    }

    /// A number that the value of a term, taken as unsigned, is never above.
    pub fn upper_bound(&self, term: TermId) -> Option<u64> {
        self.unsigned_range(term).map(|range| range.high)
    }

    fn range_within(&self, term: TermId, width: u32, look: u32) -> Range {
        let full = Range { low: 0, high: mask(width) };
        if let Some(value) = self.small_value(term) {
            return Range { low: value, high: value };
        }
        let Some(look) = look.checked_sub(1) else { return full };
        let of = |child: TermId| self.range_within(child, self.width(child), look);
        let children = self.children(term);
        match self.op(term) {
            Op::Concat => {
                let (high, low) = (of(children[0]), of(children[1]));
                let shift = self.width(children[1]);
                Range { low: high.low << shift | low.low, high: high.high << shift | low.high }
            }
            Op::Ite => {
                let (then, otherwise) = (of(children[1]), of(children[2]));
                Range { low: then.low.min(otherwise.low), high: then.high.max(otherwise.high) }
            }
            Op::Add => {
                let (a, b) = (of(children[0]), of(children[1]));
                match a.high.checked_add(b.high).filter(|&high| high <= full.high) {
                    Some(high) => Range { low: a.low + b.low, high },
                    None => full,
                }
            }
            Op::Mul => {
                let (a, b) = (of(children[0]), of(children[1]));
                match a.high.checked_mul(b.high).filter(|&high| high <= full.high) {
                    Some(high) => Range { low: a.low * b.low, high },
                    None => full,
                }
            }
            Op::BitAnd => Range { low: 0, high: of(children[0]).high.min(of(children[1]).high) },
            Op::BitOr => Range { low: of(children[0]).low.max(of(children[1]).low), ..full },
            Op::Urem => match of(children[1]) {
                divisor if divisor.low > 0 => {
                    Range { low: 0, high: of(children[0]).high.min(divisor.high - 1) }
                }
                _ => Range { low: 0, high: of(children[0]).high },
            },
            Op::Udiv => match of(children[1]) {
                divisor if divisor.low > 0 => {
                    let dividend = of(children[0]);
                    Range { low: dividend.low / divisor.high, high: dividend.high / divisor.low }
                }
                _ => full,
            },
            Op::SignExtend => {
                let inner = of(children[0]);
                let sign = 1 << (self.width(children[0]) - 1);
                if inner.high < sign { inner } else { full }
            }
            Op::Lshr => Range { low: 0, high: of(children[0]).high },
            _ => full,
        }
    }

    /// The sign bit, where it is known.
    pub(super) fn known_sign(&self, term: TermId) -> Option<bool> {
        if let Some(value) = self.bitvec_value(term) {
            return Some(value.is_negative());
        }
        if self.leading_zeros(term) > 0 {
            return Some(false);
        }
        let width = self.width(term);
        let range = self.unsigned_range(term)?;
        let sign = 1 << (width - 1);
        match () {
            () if range.high < sign => Some(false),
            () if range.low >= sign => Some(true),
            () => None,
        }
    }
}
