//! Ranges of floating-point numbers of up to 64 bits, for the integers that are made of them.
//!
//! Ends are calculated in `f64` and moved outwards by more than any rounding mode of the format could.

use super::Range;
use super::look::Look;
use term::{FloatFormat, FloatValue, Op, Sort, TermId, TermPool};

/// Numbers and infinities, and whether NaN is one of the values, too.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct FloatRange {
    low: f64,
    high: f64,
    has_nan: bool,
}

const ANY_FLOAT: FloatRange = FloatRange { low: f64::NEG_INFINITY, high: f64::INFINITY, has_nan: true };

/// Integers up to here are floats.
const EXACT: f64 = 16_777_216.0;

/// Integers up to here are numbers of `f64`, and so are those beside them.
const LARGE: f64 = 1e15;

/// More than a rounding changes a number, as a part of it, and where numbers are smallest.
const ROUNDING: f64 = 1.0 / 4_194_304.0;
const SMALLEST: f64 = 1e-42;

impl FloatRange {
    fn point(value: f64) -> FloatRange {
        match value.is_nan() {
            true => FloatRange { low: f64::INFINITY, high: f64::NEG_INFINITY, has_nan: true },
            false => FloatRange { low: value, high: value, has_nan: false },
        }
    }

    /// What both say, if that is anything.
    fn intersection(self, other: FloatRange) -> Option<FloatRange> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        let has_nan = self.has_nan && other.has_nan;
        (low <= high || has_nan).then_some(FloatRange { low, high, has_nan })
    }

    fn union(self, other: FloatRange) -> FloatRange {
        FloatRange {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            has_nan: self.has_nan || other.has_nan,
        }
    }

    fn is_finite(self) -> bool {
        !self.has_nan && self.low.is_finite() && self.high.is_finite()
    }

    fn ends(self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// Around some numbers that are rounded to a format.
    fn rounded(numbers: impl IntoIterator<Item = f64>, format: FloatFormat) -> FloatRange {
        let most = if format == FloatFormat::SINGLE { f64::from(f32::MAX) } else { f64::MAX };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers {
            let beside = number.abs() * ROUNDING + SMALLEST;
            (low, high) = (low.min(number - beside), high.max(number + beside));
        }
        // What is too large is the largest number or infinity, as the rounding mode wants it.
        low = if low < -most { f64::NEG_INFINITY } else { low.min(most) };
        high = if high > most { f64::INFINITY } else { high.max(-most) };
        FloatRange { low, high, has_nan: false }
    }
}

/// A format whose numbers are all in `f64`.
fn is_followed(format: FloatFormat) -> bool {
    format == FloatFormat::SINGLE || format == FloatFormat::DOUBLE
}

impl Look<'_> {
    /// What is known of a float. `None` if the conditions contradict it.
    fn known_float(&self, term: TermId) -> Option<FloatRange> {
        if let Some(value) = self.pool.float_value(term).and_then(number) {
            return Some(FloatRange::point(value));
        }
        let known = self.ranges.floats.get(&term).copied().unwrap_or(ANY_FLOAT);
        let mut bounds = self.floats.iter().filter(|(bounded, _)| *bounded == term);
        bounds.try_fold(known, |range, (_, bound)| range.intersection(*bound))
    }

    pub(super) fn float_range(&mut self, term: TermId) -> Option<FloatRange> {
        let known = self.known_float(term)?;
        if !self.may_look_into(term) {
            return Some(known);
        }
        self.descend(term, |look| look.look_into_float(term))?.intersection(known)
    }

    /// The range of a float as it follows from its parts, if that is something.
    pub(super) fn learn_float(&mut self, term: TermId) -> Option<FloatRange> {
        self.look_into_float(term).filter(|&range| range != ANY_FLOAT)
    }

    fn look_into_float(&mut self, term: TermId) -> Option<FloatRange> {
        let (pool, format) = (self.pool, self.pool.format(term));
        if !is_followed(format) {
            return Some(ANY_FLOAT);
        }
        let children = pool.children(term);
        Some(match (pool.op(term), children) {
            (Op::Ite, &[condition, then, otherwise]) => {
                let then = self.under(condition, true, |look| look.float_range(then));
                let otherwise = self.under(condition, false, |look| look.float_range(otherwise));
                match (then, otherwise) {
                    (Some(then), Some(otherwise)) => then.union(otherwise),
                    (one, other) => one.or(other)?,
                }
            }
            (Op::FloatAdd, &[a, b]) => self.calculated(a, b, format, |a, b| a + b)?,
            (Op::FloatMul, &[a, b]) => self.calculated(a, b, format, |a, b| a * b)?,
            (Op::FloatNeg, &[of]) => {
                let FloatRange { low, high, has_nan } = self.float_range(of)?;
                FloatRange { low: -high, high: -low, has_nan }
            }
            (Op::FloatAbs, &[of]) => {
                let FloatRange { low, high, has_nan } = self.float_range(of)?;
                FloatRange { low: low.max(-high).max(0.0), high: high.max(-low), has_nan }
            }
            (Op::FloatFromFloat, &[of]) => match self.float_range(of)? {
                range if range.is_finite() => FloatRange::rounded(range.ends(), format),
                _ => ANY_FLOAT,
            },
            (Op::FloatFromSigned, &[of]) if self.is_word(of) => from_integers(self.range(of)?, format),
            (Op::FloatFromUnsigned, &[of]) if self.is_word(of) && pool.width(of) < 64 => {
                from_integers(self.natural_range(of)?, format)
            }
            _ => ANY_FLOAT,
        })
    }

    /// The range of an operation that is largest and smallest at the ends of its operands.
    fn calculated(
        &mut self,
        a: TermId,
        b: TermId,
        format: FloatFormat,
        operation: impl Fn(f64, f64) -> f64,
    ) -> Option<FloatRange> {
        let (a, b) = (self.float_range(a)?, self.float_range(b)?);
        if !a.is_finite() || !b.is_finite() {
            return Some(ANY_FLOAT);
        }
        let pairs = a.ends().into_iter().flat_map(|x| b.ends().map(|y| operation(x, y)));
        Some(FloatRange::rounded(pairs, format))
    }

    /// Adds what a comparison says. `None` if it cannot be.
    pub(super) fn assume_floats(&mut self, left: TermId, right: TermId, holds: bool) -> Option<()> {
        let (a, b) = (self.float_range(left)?, self.float_range(right)?);
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
        self.bound_float(left, a.intersection(left_bound)?);
        self.bound_float(right, b.intersection(right_bound)?);
        Some(())
    }

    fn bound_float(&mut self, term: TermId, bound: FloatRange) {
        self.floats.push((term, bound));
        self.lowest = self.lowest.min(term);
    }

    /// A float as an integer, which is 0 if it has none.
    pub(super) fn converted(&mut self, float: TermId, width: u32) -> Option<Range> {
        let FloatRange { low, high, has_nan } = self.float_range(float)?;
        let full = Range::full(width);
        let inside = |end: f64| end.abs() < 2f64.powi(62);
        if !inside(low) || !inside(high) {
            return Some(full);
        }
        // Any rounding mode stays between these.
        let (low, high) = (low.floor() as i64, high.ceil() as i64);
        let range = Range::fitting(low.into(), high.into(), width);
        match has_nan || range == full {
            true => Some(Range::fitting(low.min(0).into(), high.max(0).into(), width)),
            false => Some(range),
        }
    }

    /// A float is an integer in a range: it is less than one away from it, if it has been converted at all.
    pub(super) fn limit_converted(&mut self, float: TermId, width: u32, range: Range) -> Option<()> {
        let known = self.float_range(float)?;
        let most = 2f64.powi(width as i32 - 1);
        let is_always = !known.has_nan && known.low > -most && known.high < most - 1.0;
        if is_always && range.low as f64 > -LARGE && (range.high as f64) < LARGE {
            let (low, high) = ((range.low as f64 - 1.0).next_up(), (range.high as f64 + 1.0).next_down());
            let bound = known.intersection(FloatRange { low, high, has_nan: false })?;
            self.bound_float(float, bound);
        }
        Some(())
    }
}

fn from_integers(range: Range, format: FloatFormat) -> FloatRange {
    let (low, high) = (range.low as f64, range.high as f64);
    match low >= -EXACT && high <= EXACT {
        true => FloatRange { low, high, has_nan: false },
        false => FloatRange::rounded([low, high], format),
    }
}

impl FloatRange {
    #[cfg(test)]
    pub fn has(self, value: f64) -> bool {
        if value.is_nan() { self.has_nan } else { self.low <= value && value <= self.high }
    }
}

pub(super) fn is_float(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.sort(term), Sort::Float(format) if is_followed(format))
}

pub(super) fn number(value: FloatValue) -> Option<f64> {
    value.to_f64().or_else(|| value.to_f32().map(f64::from))
}
