//! Ranges of floating-point numbers, as far as integers are made of them.

use super::Range;
use super::look::Look;
use term::{FloatValue, Op, TermId};

/// Numbers and infinities, and whether NaN is one of the values, too.
#[derive(Clone, Copy)]
pub(super) struct FloatRange {
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

impl Look<'_> {
    pub(super) fn float_range(&mut self, term: TermId) -> FloatRange {
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

    pub(super) fn assume_floats(&mut self, left: TermId, right: TermId, holds: bool) {
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
    pub(super) fn converted(&mut self, float: TermId, width: u32) -> Range {
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

fn number(value: FloatValue) -> Option<f64> {
    value.to_f64().or_else(|| value.to_f32().map(f64::from))
}
