//! IEEE 754 values of any format, computed exactly.
//!
//! A value is kept packed. To compute, it is unpacked into sign, integer significand and exponent,
//! the exact result is formed with big integers, and `round` brings it back into
//! the format. Formats are run-time data here, which is why this is not `rustc_apfloat`; that
//! library is the oracle in the tests. There is one NaN, as in SMT-LIB.

mod arithmetic;
mod convert;
mod rounding;

use crate::bitvec::BitVec;
use crate::sort::FloatFormat;
use dashu::integer::UBig;
use std::cmp::Ordering;
use std::fmt;

/// A value of sort `Float(format)`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FloatValue {
    format: FloatFormat,
    /// The packed bits, `format.width()` of them.
    bits: BitVec,
}

/// A value taken apart.
#[derive(Clone, Debug)]
enum Unpacked {
    Nan,
    Infinity { negative: bool },
    Finite(Finite),
}

/// The number `±significand * 2^exponent`; zeros have a sign, too.
#[derive(Clone, Debug)]
struct Finite {
    negative: bool,
    significand: UBig,
    exponent: i64,
}

impl Finite {
    fn is_zero(&self) -> bool {
        self.significand.is_zero()
    }
}

impl FloatValue {
    /// The float with these packed bits.
    ///
    /// # Panics
    /// If the number of bits is not that of the format.
    pub fn from_bits(format: FloatFormat, bits: BitVec) -> Self {
        assert_eq!(bits.width(), format.width());
        let value = Self { format, bits };
        if value.is_nan() { Self::nan(format) } else { value }
    }

    pub fn from_f64(value: f64) -> Self {
        Self::from_bits(FloatFormat::DOUBLE, BitVec::new(64, value.to_bits()))
    }

    pub fn from_f32(value: f32) -> Self {
        Self::from_bits(FloatFormat::SINGLE, BitVec::new(32, value.to_bits().into()))
    }

    fn assemble(format: FloatFormat, negative: bool, exponent: &BitVec, fraction: &BitVec) -> Self {
        let sign = BitVec::new(1, negative.into());
        Self { format, bits: sign.concat(exponent).concat(fraction) }
    }

    /// The quiet NaN without payload.
    pub fn nan(format: FloatFormat) -> Self {
        let quiet = BitVec::signed_min(format.fraction());
        Self::assemble(format, false, &BitVec::ones(format.exponent), &quiet)
    }

    pub fn infinity(format: FloatFormat, negative: bool) -> Self {
        let fraction = BitVec::zero(format.fraction());
        Self::assemble(format, negative, &BitVec::ones(format.exponent), &fraction)
    }

    pub fn zero(format: FloatFormat, negative: bool) -> Self {
        let fraction = BitVec::zero(format.fraction());
        Self::assemble(format, negative, &BitVec::zero(format.exponent), &fraction)
    }

    /// The finite number that is farthest from zero.
    pub fn largest(format: FloatFormat, negative: bool) -> Self {
        let exponent = BitVec::ones(format.exponent).sub(&BitVec::one(format.exponent));
        Self::assemble(format, negative, &exponent, &BitVec::ones(format.fraction()))
    }

    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// The packed bits.
    pub fn bits(&self) -> &BitVec {
        &self.bits
    }

    /// The value as an `f64`, if that is its format.
    pub fn to_f64(&self) -> Option<f64> {
        let bits = self.bits.small().filter(|_| self.format == FloatFormat::DOUBLE)?;
        Some(f64::from_bits(bits))
    }

    /// The value as an `f32`, if that is its format.
    pub fn to_f32(&self) -> Option<f32> {
        let bits = self.bits.small().filter(|_| self.format == FloatFormat::SINGLE)?;
        Some(f32::from_bits(bits as u32))
    }

    fn fraction(&self) -> BitVec {
        self.bits.extract(self.format.fraction() - 1, 0)
    }

    fn biased_exponent(&self) -> BitVec {
        self.bits.extract(self.format.width() - 2, self.format.fraction())
    }

    fn sign(&self) -> bool {
        self.bits.is_negative()
    }

    pub fn is_nan(&self) -> bool {
        self.biased_exponent().is_ones() && !self.fraction().is_zero()
    }

    pub fn is_infinite(&self) -> bool {
        self.biased_exponent().is_ones() && self.fraction().is_zero()
    }

    pub fn is_zero(&self) -> bool {
        self.biased_exponent().is_zero() && self.fraction().is_zero()
    }

    pub fn is_subnormal(&self) -> bool {
        self.biased_exponent().is_zero() && !self.fraction().is_zero()
    }

    pub fn is_normal(&self) -> bool {
        let exponent = self.biased_exponent();
        !exponent.is_zero() && !exponent.is_ones()
    }

    /// The sign bit is set, and it is not a NaN.
    pub fn is_negative(&self) -> bool {
        self.sign() && !self.is_nan()
    }

    #[must_use]
    pub fn neg(&self) -> Self {
        let sign = BitVec::signed_min(self.format.width());
        if self.is_nan() { self.clone() } else { Self { bits: self.bits.xor(&sign), ..*self } }
    }

    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// The IEEE 754 comparison; `None` if one of them is a NaN.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        Some(match (self.sign(), other.sign()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.bits.unsigned_cmp(&other.bits),
            (true, true) => other.bits.unsigned_cmp(&self.bits),
        })
    }

    fn unpack(&self) -> Unpacked {
        let negative = self.sign();
        let (exponent, fraction) = (self.biased_exponent(), self.fraction());
        match () {
            () if self.is_nan() => Unpacked::Nan,
            () if exponent.is_ones() => Unpacked::Infinity { negative },
            () => {
                let hidden = UBig::from(u8::from(!exponent.is_zero())) << self.format.fraction() as usize;
                // Subnormal numbers have the exponent of the smallest normal ones.
                let biased = exponent.to_u64().map_or(0, |exponent| exponent.max(1)) as i64;
                Unpacked::Finite(Finite {
                    negative,
                    significand: fraction.to_big() | hidden,
                    exponent: biased - self.format.bias() - i64::from(self.format.fraction()),
                })
            }
        }
    }
}

/// As SMT-LIB 2 writes it.
impl fmt::Display for FloatValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FloatFormat { exponent, significand } = self.format;
        if self.is_nan() {
            return write!(f, "(_ NaN {exponent} {significand})");
        }
        let sign = u8::from(self.sign());
        write!(f, "(fp #b{sign} {} {})", self.biased_exponent(), self.fraction())
    }
}

impl fmt::Debug for FloatValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
