//! Intervals: the least and the greatest value that an integer can have.
//!
//! Values are mathematical integers here; whoever computes with machine integers asks whether a result is
//! within what its type can hold, and if not, knows nothing but the type. To make chains of ever larger
//! intervals end, bounds are moved outward to [`Thresholds`]: numbers that the program itself names.

use cfa::BinaryOp;

/// From the lowest to the highest value; never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    pub low: i128,
    pub high: i128,
}

impl Interval {
    pub const TRUTH: Interval = Interval { low: 0, high: 1 };

    /// All that a type can hold.
    pub fn of(width: u32, signed: bool) -> Interval {
        match signed {
            true => Interval { low: -1 << (width - 1), high: (1 << (width - 1)) - 1 },
            false => Interval { low: 0, high: (1 << width) - 1 },
        }
    }

    pub fn point(value: i128) -> Interval {
        Interval { low: value, high: value }
    }

    /// The only value, if there is just one.
    pub fn as_point(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn contains(self, value: i128) -> bool {
        self.low <= value && value <= self.high
    }

    pub fn is_within(self, other: Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    pub fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// `None` if they have nothing in common.
    pub fn intersection(self, other: Interval) -> Option<Interval> {
        let both = Interval { low: self.low.max(other.low), high: self.high.min(other.high) };
        (both.low <= both.high).then_some(both)
    }

    pub fn shifted(self, by: i128) -> Interval {
        Interval { low: self.low.saturating_add(by), high: self.high.saturating_add(by) }
    }

    pub fn negated(self) -> Interval {
        Interval { low: self.high.saturating_neg(), high: self.low.saturating_neg() }
    }

    /// Without a value, where it is at one of the ends; `None` if nothing is left.
    pub fn without(self, value: i128) -> Option<Interval> {
        match (self.low == value, self.high == value) {
            (true, true) => None,
            (true, false) => Some(Interval { low: value + 1, ..self }),
            (false, true) => Some(Interval { high: value - 1, ..self }),
            (false, false) => Some(self),
        }
    }

    /// Of what is monotone in each operand, from the values at the corners.
    fn corners(self, other: Interval, operation: fn(i128, i128) -> i128) -> Interval {
        let values = [
            operation(self.low, other.low),
            operation(self.low, other.high),
            operation(self.high, other.low),
            operation(self.high, other.high),
        ];
        values[1..].iter().fold(Interval::point(values[0]), |all, &value| all.hull(Interval::point(value)))
    }

    /// The exact results of an operation, if their interval is easily told.
    pub fn apply(self, op: BinaryOp, other: Interval) -> Option<Interval> {
        use BinaryOp::*;
        Some(match op {
            Add => self.corners(other, i128::saturating_add),
            Subtract => self.corners(other, i128::saturating_sub),
            Multiply => self.corners(other, i128::saturating_mul),
            Divide if other.low > 0 => self.corners(other, |left, right| left / right),
            Remainder if other.low > 0 => self.remainder(other.high - 1),
            BitAnd if self.low >= 0 && other.low >= 0 => Interval { low: 0, high: self.high.min(other.high) },
            BitAnd if self.low >= 0 => Interval { low: 0, high: self.high },
            BitAnd if other.low >= 0 => Interval { low: 0, high: other.high },
            BitOr | BitXor if self.low >= 0 && other.low >= 0 => {
                Interval { low: 0, high: ones(self.high.max(other.high)) }
            }
            ShiftLeft if other.low >= 0 && other.high < 64 => {
                self.corners(other, |left, right| left.saturating_mul(1 << right))
            }
            ShiftRight if self.low >= 0 => Interval { low: 0, high: self.high },
            _ => return None,
        })
    }

    /// By something positive; the result is at most `largest` away from zero, and no further than before.
    fn remainder(self, largest: i128) -> Interval {
        Interval { low: self.low.max(-largest).min(0), high: self.high.min(largest).max(0) }
    }

    /// Whether a comparison holds for all values, or for none.
    pub fn compare(self, op: BinaryOp, other: Interval) -> Option<bool> {
        use BinaryOp::*;
        let decided = |always: bool, never: bool| match (always, never) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        match op {
            Less => decided(self.high < other.low, self.low >= other.high),
            LessEqual => decided(self.high <= other.low, self.low > other.high),
            Greater => other.compare(Less, self),
            GreaterEqual => other.compare(LessEqual, self),
            Equal => {
                let same = self.as_point().is_some() && self == other;
                decided(same, self.intersection(other).is_none())
            }
            NotEqual => self.compare(Equal, other).map(|equal| !equal),
            _ => None,
        }
    }

    /// Those of these values for which a comparison with the other may hold; `None` if there are none.
    pub fn satisfying(self, op: BinaryOp, other: Interval) -> Option<Interval> {
        use BinaryOp::*;
        let below = |high: i128| self.intersection(Interval { low: i128::MIN, high });
        let above = |low: i128| self.intersection(Interval { low, high: i128::MAX });
        match op {
            Less => below(other.high - 1),
            LessEqual => below(other.high),
            Greater => above(other.low + 1),
            GreaterEqual => above(other.low),
            Equal => self.intersection(other),
            NotEqual => other.as_point().map_or(Some(self), |value| self.without(value)),
            _ => Some(self),
        }
    }
}

/// The least number of all ones that is not below a value that is not negative.
fn ones(value: i128) -> i128 {
    match value {
        0 => 0,
        _ => i128::MAX >> (value.leading_zeros() - 1),
    }
}

/// Numbers at which intervals may end, ascending.
#[derive(Clone, Default, Debug)]
pub struct Thresholds(Vec<i128>);

impl Thresholds {
    /// Those of a program that names these numbers, and the ends of all types.
    pub fn new(named: impl IntoIterator<Item = i128>) -> Self {
        let mut list: Vec<i128> =
            named.into_iter().flat_map(|number| [number - 1, number, number + 1]).collect();
        for width in [8, 16, 32, 64] {
            let (signed, unsigned) = (Interval::of(width, true), Interval::of(width, false));
            list.extend([signed.low, signed.high, unsigned.high, 0, 1]);
        }
        list.sort_unstable();
        list.dedup();
        Self(list)
    }

    /// The least interval around another that ends at thresholds.
    pub fn around(&self, interval: Interval) -> Interval {
        let below = self.0.partition_point(|&threshold| threshold <= interval.low);
        let above = self.0.partition_point(|&threshold| threshold < interval.high);
        let low = below.checked_sub(1).map_or(i128::MIN, |index| self.0[index]);
        Interval { low, high: self.0.get(above).copied().unwrap_or(i128::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOp::*;

    fn small() -> impl Iterator<Item = Interval> {
        (-4..5).flat_map(|low| (low..5).map(move |high| Interval { low, high }))
    }

    fn exact(op: BinaryOp, left: i128, right: i128) -> Option<i128> {
        Some(match op {
            Add => left + right,
            Subtract => left - right,
            Multiply => left * right,
            Divide => left.checked_div(right)?,
            Remainder => left.checked_rem(right)?,
            BitAnd => left & right,
            BitOr => left | right,
            BitXor => left ^ right,
            ShiftLeft if right >= 0 => left << right,
            ShiftRight if right >= 0 => left >> right,
            _ => return None,
        })
    }

    #[test]
    fn results_are_within() {
        let operations =
            [Add, Subtract, Multiply, Divide, Remainder, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight];
        for (left, right) in small().flat_map(|left| small().map(move |right| (left, right))) {
            for op in operations {
                let Some(result) = left.apply(op, right) else { continue };
                for a in left.low..=left.high {
                    for value in (right.low..=right.high).filter_map(|b| exact(op, a, b)) {
                        assert!(
                            result.contains(value),
                            "{left:?} {op:?} {right:?} = {result:?}, not {value}"
                        );
                    }
                }
            }
        }
    }

    fn holds(op: BinaryOp, left: i128, right: i128) -> bool {
        match op {
            Less => left < right,
            LessEqual => left <= right,
            Greater => left > right,
            GreaterEqual => left >= right,
            Equal => left == right,
            _ => left != right,
        }
    }

    #[test]
    fn comparisons_are_decided_and_used() {
        for (left, right) in small().flat_map(|left| small().map(move |right| (left, right))) {
            for op in [Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual] {
                let pairs =
                    || (left.low..=left.high).flat_map(|a| (right.low..=right.high).map(move |b| (a, b)));
                let (some, all) =
                    (pairs().any(|(a, b)| holds(op, a, b)), pairs().all(|(a, b)| holds(op, a, b)));
                let expected = if all {
                    Some(true)
                } else if some {
                    None
                } else {
                    Some(false)
                };
                assert_eq!(left.compare(op, right), expected, "{left:?} {op:?} {right:?}");
                let satisfying = left.satisfying(op, right);
                for (a, _) in pairs().filter(|&(a, b)| holds(op, a, b)) {
                    assert!(
                        satisfying.is_some_and(|interval| interval.contains(a)),
                        "{left:?} {op:?} {right:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn thresholds_are_around() {
        let thresholds = Thresholds::new([10, 100]);
        assert_eq!(thresholds.around(Interval { low: 3, high: 42 }), Interval { low: 1, high: 99 });
        assert_eq!(thresholds.around(Interval { low: 10, high: 101 }), Interval { low: 10, high: 101 });
        assert_eq!(thresholds.around(Interval { low: -5, high: 0 }), Interval { low: -128, high: 0 });
    }
}
