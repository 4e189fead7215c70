//! The sorts that terms can have.

use std::fmt;

/// The layout of an IEEE 754 binary format, in the terms of SMT-LIB: the significand counts the
/// hidden bit, so that `float` is `(8, 24)`, `double` is `(11, 53)` and x87's `long double` is
/// `(15, 64)` (whose explicit integer bit is not stored here).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FloatFormat {
    pub exponent: u32,
    pub significand: u32,
}

impl FloatFormat {
    pub const HALF: Self = Self::new(5, 11);
    pub const SINGLE: Self = Self::new(8, 24);
    pub const DOUBLE: Self = Self::new(11, 53);
    pub const X87: Self = Self::new(15, 64);
    pub const QUAD: Self = Self::new(15, 113);

    /// # Panics
    /// If there are not at least 2 exponent bits (at most 30) and 2 significand bits.
    pub const fn new(exponent: u32, significand: u32) -> Self {
        assert!(exponent >= 2 && exponent <= 30 && significand >= 2);
        Self { exponent, significand }
    }

    /// The number of bits of a packed value.
    pub const fn width(self) -> u32 {
        self.exponent + self.significand
    }

    /// The number of stored significand bits.
    pub const fn fraction(self) -> u32 {
        self.significand - 1
    }

    pub const fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the largest finite numbers, `1.xxx * 2^max`.
    pub const fn max_exponent(self) -> i64 {
        self.bias()
    }

    /// The exponent of the smallest normal numbers.
    pub const fn min_exponent(self) -> i64 {
        1 - self.bias()
    }
}

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Bool,
    /// A bit-vector of at least one bit.
    BitVec(u32),
    /// A total map from bit-vectors to bit-vectors.
    Array {
        index: u32,
        element: u32,
    },
    Float(FloatFormat),
    /// The mathematical integers.
    Int,
}

impl Sort {
    /// The width of a bit-vector sort.
    pub const fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }

    pub const fn format(self) -> Option<FloatFormat> {
        match self {
            Sort::Float(format) => Some(format),
            _ => None,
        }
    }
}

/// As SMT-LIB 2 writes it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float(format) => {
                write!(f, "(_ FloatingPoint {} {})", format.exponent, format.significand)
            }
            Sort::Array { index, element } => {
                write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))")
            }
        }
    }
}
