//! Between which numbers the value of a word lies, as far as that follows from how it is made.
//!
//! C promotes everything small to `int`, so most words of a program have far fewer bits than their
//! type says. A word whose signed value needs `n` bits has copies of bit `n - 1` above; circuits are
//! built for the `n` bits only.

use term::Op;

/// Inclusive bounds of a signed value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub low: i64,
    pub high: i64,
}

impl Range {
    pub fn full(width: u32) -> Range {
        Range { low: i64::MIN >> (64 - width), high: i64::MAX >> (64 - width) }
    }

    pub fn point(value: i64) -> Range {
        Range { low: value, high: value }
    }

    /// The range from one number to another, if words of this width have it.
    pub fn fitting(low: i128, high: i128, width: u32) -> Range {
        let full = Range::full(width);
        match (i64::try_from(low), i64::try_from(high)) {
            (Ok(low), Ok(high)) if low >= full.low && high <= full.high => Range { low, high },
            _ => full,
        }
    }

    /// The least range with all of some numbers.
    pub fn around(numbers: impl IntoIterator<Item = i128>, width: u32) -> Range {
        let (low, high) = numbers
            .into_iter()
            .fold((i128::MAX, i128::MIN), |(low, high), number| (low.min(number), high.max(number)));
        Range::fitting(low, high, width)
    }

    pub fn union(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// All numbers plus one.
    pub fn plus(self, number: i64) -> Range {
        Range { low: self.low.saturating_add(number), high: self.high.saturating_add(number) }
    }

    /// The numbers that are not a certain one, if that is at one of the ends.
    pub fn without(self, other: Range) -> Option<Range> {
        match other.low == other.high {
            true if self == other => None,
            true if self.low == other.low => Some(Range { low: self.low + 1, ..self }),
            true if self.high == other.low => Some(Range { high: self.high - 1, ..self }),
            _ => Some(self),
        }
    }

    /// What both say, if they do not contradict each other.
    pub fn intersection(self, other: Range) -> Option<Range> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Range { low, high })
    }

    fn ends(self) -> [i128; 2] {
        [self.low.into(), self.high.into()]
    }

    pub fn is_natural(self) -> bool {
        self.low >= 0
    }

    /// The bits that a signed word needs for all these numbers.
    pub fn bits(self) -> usize {
        let magnitude = |number: i64| 64 - (number ^ (number >> 63)).leading_zeros() as usize;
        magnitude(self.low).max(magnitude(self.high)) + 1
    }

    /// The smallest range from 0 to a number of ones with all bits of these numbers, which are not negative.
    fn bits_filled(self) -> i64 {
        i64::MAX >> (self.high.leading_zeros() - 1)
    }
}

/// The range of an operation on words of one width.
pub fn apply(op: Op, a: Range, b: Range, width: u32) -> Range {
    let full = Range::full(width);
    let pairs = || a.ends().into_iter().flat_map(|x| b.ends().map(|y| (x, y)));
    let divides = b.low > 0 || b.high < 0;
    match op {
        Op::Add => Range::fitting(
            i128::from(a.low) + i128::from(b.low),
            i128::from(a.high) + i128::from(b.high),
            width,
        ),
        Op::Mul => Range::around(pairs().map(|(x, y)| x * y), width),
        Op::Sdiv if divides => Range::around(pairs().map(|(x, y)| x / y).chain(zero_between(a)), width),
        Op::Udiv if a.is_natural() && b.low > 0 => Range::around(pairs().map(|(x, y)| x / y), width),
        Op::Srem if divides => {
            let most = b.low.unsigned_abs().max(b.high.unsigned_abs()) as i128 - 1;
            let (low, high) = (i128::from(a.low), i128::from(a.high));
            Range::fitting(low.max(-most).min(0), high.min(most).max(0), width)
        }
        Op::Urem if b.low > 0 && a.is_natural() => Range { low: 0, high: a.high.min(b.high - 1) },
        Op::Urem if b.low > 0 => Range { low: 0, high: b.high - 1 },
        Op::Shl if b.low == b.high && (0..i64::from(width)).contains(&b.low) => {
            Range::around(a.ends().map(|end| end << b.low), width)
        }
        Op::Ashr if b.is_natural() => {
            let shift = |end: i64, by: i64| i128::from(end >> by.min(63));
            Range::around(
                [shift(a.low, b.low), shift(a.low, b.high), shift(a.high, b.low), shift(a.high, b.high)],
                width,
            )
        }
        Op::Lshr if a.is_natural() => Range { low: 0, high: a.high },
        Op::Lshr if b.low > 0 => Range::fitting(0, ((1i128 << width) - 1) >> b.low.min(127), width),
        Op::BitAnd => match (a.is_natural(), b.is_natural()) {
            (true, true) => Range { low: 0, high: a.high.min(b.high) },
            (true, false) => Range { low: 0, high: a.high },
            (false, true) => Range { low: 0, high: b.high },
            (false, false) => full,
        },
        Op::BitOr | Op::BitXor if a.is_natural() && b.is_natural() => {
            Range { low: 0, high: a.bits_filled().max(b.bits_filled()) }
        }
        _ => full,
    }
}

/// Whether a comparison of words with these values holds, if it is the same for all of them.
pub fn compare(op: Op, a: Range, b: Range) -> Option<bool> {
    let less = match () {
        () if a.high < b.low => Some(true),
        () if a.low >= b.high => Some(false),
        () => None,
    };
    match op {
        Op::Slt => less,
        Op::Eq if a.intersection(b).is_none() => Some(false),
        Op::Eq if a.low == a.high && a == b => Some(true),
        Op::Ult if a.is_natural() && b.is_natural() || a.high < 0 && b.high < 0 => less,
        Op::Ult if a.is_natural() && b.high < 0 => Some(true),
        Op::Ult if a.high < 0 && b.is_natural() => Some(false),
        _ => None,
    }
}

fn zero_between(range: Range) -> Option<i128> {
    (range.low < 0 && range.high > 0).then_some(0)
}
