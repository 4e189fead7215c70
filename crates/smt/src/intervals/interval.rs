//! Intervals of floats, closed under the operations of IEEE 754.
//!
//! Rounding is monotone, so the ends of a result are the rounded results of ends: nothing is lost but
//! what two operands have to do with each other. Single precision is computed in double and rounded
//! again, which is exact for these operations.

/// The numbers from `low` to `high` (none if `low > high`; zeros of both signs count as one), and perhaps NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
    pub nan: bool,
}

impl Interval {
    pub const ALL: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };

    pub fn numbers(low: f64, high: f64) -> Interval {
        Interval { low, high, nan: false }
    }

    pub fn point(value: f64) -> Interval {
        match value.is_nan() {
            true => Interval { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true },
            false => Interval::numbers(value, value),
        }
    }

    /// No number is in it.
    pub fn is_empty(self) -> bool {
        self.low > self.high
    }

    pub fn has(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    pub fn hull(self, other: Interval) -> Interval {
        let nan = self.nan || other.nan;
        Interval { low: self.low.min(other.low), high: self.high.max(other.high), nan }
    }

    pub fn meet(self, other: Interval) -> Interval {
        let nan = self.nan && other.nan;
        Interval { low: self.low.max(other.low), high: self.high.min(other.high), nan }
    }

    /// The interval of what may be NaN in places where the ends do not show it.
    fn of_ends(ends: &[f64], nan: bool) -> Interval {
        if ends.iter().any(|end| end.is_nan()) {
            return Interval::ALL;
        }
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Interval { low, high, nan }
    }

    fn only_nan(self, other: Interval) -> bool {
        self.is_empty() || other.is_empty()
    }

    pub fn add(self, other: Interval) -> Interval {
        if self.only_nan(other) {
            return Interval::point(f64::NAN);
        }
        let opposite = |a: Interval, b: Interval| a.high == f64::INFINITY && b.low == f64::NEG_INFINITY;
        let nan = self.nan || other.nan || opposite(self, other) || opposite(other, self);
        Interval::of_ends(&[self.low + other.low, self.high + other.high], nan)
    }

    pub fn multiply(self, other: Interval) -> Interval {
        if self.only_nan(other) {
            return Interval::point(f64::NAN);
        }
        let unbounded = |a: Interval| a.low.is_infinite() || a.high.is_infinite();
        let undefined = |a: Interval, b: Interval| a.has(0.0) && unbounded(b);
        let nan = self.nan || other.nan || undefined(self, other) || undefined(other, self);
        let (a, b) = (self, other);
        Interval::of_ends(&[a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high], nan)
    }

    pub fn divide(self, other: Interval) -> Interval {
        if self.only_nan(other) {
            return Interval::point(f64::NAN);
        }
        if other.has(0.0) {
            return Interval::ALL;
        }
        let (a, b) = (self, other);
        let ends = [a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high];
        let unbounded = |a: Interval| a.low.is_infinite() || a.high.is_infinite();
        Interval::of_ends(&ends, a.nan || b.nan || unbounded(a) && unbounded(b))
    }

    pub fn root(self) -> Interval {
        if self.is_empty() || self.high < 0.0 {
            return Interval::point(f64::NAN);
        }
        Interval { low: self.low.max(0.0).sqrt(), high: self.high.sqrt(), nan: self.nan || self.low < 0.0 }
    }

    pub fn negate(self) -> Interval {
        Interval { low: -self.high, high: -self.low, nan: self.nan }
    }

    pub fn absolute(self) -> Interval {
        match () {
            () if self.low >= 0.0 || self.is_empty() => self,
            () if self.high <= 0.0 => self.negate(),
            () => Interval { low: 0.0, high: self.high.max(-self.low), nan: self.nan },
        }
    }

    /// Both ends through a function that never decreases.
    pub fn map(self, function: impl Fn(f64) -> f64) -> Interval {
        match self.is_empty() {
            true => self,
            false => Interval { low: function(self.low), high: function(self.high), nan: self.nan },
        }
    }
}

/// What is known of a Boolean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    True,
    False,
    Unknown,
}

impl Truth {
    pub fn negate(self) -> Truth {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
        }
    }

    pub fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::True, Truth::True) => Truth::True,
            _ => Truth::Unknown,
        }
    }

    pub fn equal(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Unknown, _) | (_, Truth::Unknown) => Truth::Unknown,
            (a, b) if a == b => Truth::True,
            _ => Truth::False,
        }
    }

    fn of(surely: bool, never: bool) -> Truth {
        match (surely, never) {
            (_, true) => Truth::False,
            (true, _) => Truth::True,
            _ => Truth::Unknown,
        }
    }

    pub fn less(a: Interval, b: Interval) -> Truth {
        let never = a.is_empty() || b.is_empty() || a.low >= b.high;
        Truth::of(!a.nan && !b.nan && a.high < b.low, never)
    }

    pub fn less_or_equal(a: Interval, b: Interval) -> Truth {
        let never = a.is_empty() || b.is_empty() || a.low > b.high;
        Truth::of(!a.nan && !b.nan && a.high <= b.low, never)
    }

    /// C's `==`.
    pub fn equal_numbers(a: Interval, b: Interval) -> Truth {
        let same = a.low == a.high && b.low == b.high && a.low == b.low;
        Truth::of(!a.nan && !b.nan && same, a.meet(b).is_empty())
    }

    /// Equality of values: NaN equals itself, and the zeros differ.
    pub fn same(a: Interval, b: Interval) -> Truth {
        Truth::of(false, a.meet(b).is_empty() && !(a.nan && b.nan))
    }

    pub fn is_nan(a: Interval) -> Truth {
        Truth::of(a.is_empty(), !a.nan)
    }

    pub fn is_infinite(a: Interval) -> Truth {
        Truth::of(false, a.low > f64::NEG_INFINITY && a.high < f64::INFINITY || a.is_empty())
    }

    pub fn is_zero(a: Interval) -> Truth {
        Truth::of(!a.nan && a.low == 0.0 && a.high == 0.0, !a.has(0.0))
    }

    /// The sign bit is set.
    pub fn is_negative(a: Interval) -> Truth {
        Truth::of(!a.nan && a.high < 0.0, !a.nan && a.low > 0.0)
    }
}
