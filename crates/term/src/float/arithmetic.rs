//! Addition, multiplication, division, square root and remainder.

use super::rounding::round;
use super::{Finite, FloatValue, Unpacked};
use crate::op::RoundingMode;
use crate::sort::FloatFormat;
use dashu::base::{BitTest, SquareRootRem};
use dashu::integer::{IBig, UBig, fast_div::ConstDivisor};

impl FloatValue {
    #[must_use]
    pub fn add(&self, other: &Self, mode: RoundingMode) -> Self {
        use Unpacked::*;
        match (self.unpack(), other.unpack()) {
            (Nan, _) | (_, Nan) => Self::nan(self.format),
            (Infinity { negative: a }, Infinity { negative: b }) if a != b => Self::nan(self.format),
            (Infinity { negative }, _) | (_, Infinity { negative }) => Self::infinity(self.format, negative),
            (Finite(a), Finite(b)) => add_finite(self.format, mode, a, b),
        }
    }

    #[must_use]
    pub fn sub(&self, other: &Self, mode: RoundingMode) -> Self {
        self.add(&other.neg(), mode)
    }

    #[must_use]
    pub fn mul(&self, other: &Self, mode: RoundingMode) -> Self {
        use Unpacked::*;
        match (self.unpack(), other.unpack()) {
            (Nan, _) | (_, Nan) => Self::nan(self.format),
            (Infinity { .. }, Finite(x)) | (Finite(x), Infinity { .. }) if x.is_zero() => {
                Self::nan(self.format)
            }
            (Finite(a), Finite(b)) => round(self.format, mode, &product(&a, &b)),
            _ => Self::infinity(self.format, self.sign() != other.sign()),
        }
    }

    /// `self * factor + addend`, rounded once.
    #[must_use]
    pub fn fma(&self, factor: &Self, addend: &Self, mode: RoundingMode) -> Self {
        use Unpacked::*;
        match (self.unpack(), factor.unpack(), addend.unpack()) {
            (Finite(a), Finite(b), Finite(c)) => add_finite(self.format, mode, product(&a, &b), c),
            (Finite(_), Finite(_), _) => addend.clone(),
            // The product is infinite or a NaN, and rounding does not come in.
            _ => self.mul(factor, mode).add(addend, mode),
        }
    }

    #[must_use]
    pub fn div(&self, other: &Self, mode: RoundingMode) -> Self {
        use Unpacked::*;
        let negative = self.sign() != other.sign();
        match (self.unpack(), other.unpack()) {
            (Nan, _) | (_, Nan) | (Infinity { .. }, Infinity { .. }) => Self::nan(self.format),
            (Infinity { .. }, _) => Self::infinity(self.format, negative),
            (_, Infinity { .. }) => Self::zero(self.format, negative),
            (Finite(a), Finite(b)) if b.is_zero() => {
                if a.is_zero() {
                    Self::nan(self.format)
                } else {
                    Self::infinity(self.format, negative)
                }
            }
            (Finite(a), Finite(b)) => round(self.format, mode, &quotient(self.format, &a, &b)),
        }
    }

    #[must_use]
    pub fn sqrt(&self, mode: RoundingMode) -> Self {
        match self.unpack() {
            Unpacked::Finite(x) if x.is_zero() => self.clone(),
            Unpacked::Finite(x) if !x.negative => round(self.format, mode, &square_root(self.format, x)),
            Unpacked::Infinity { negative: false } => self.clone(),
            _ => Self::nan(self.format),
        }
    }

    /// The IEEE 754 remainder: `self - other * n`, where `n` is the integer nearest to
    /// `self / other`, the even one of two.
    #[must_use]
    pub fn rem(&self, other: &Self) -> Self {
        match (self.unpack(), other.unpack()) {
            (Unpacked::Finite(a), Unpacked::Finite(b)) if !b.is_zero() => {
                // The result is exact.
                round(self.format, RoundingMode::NearestEven, &remainder(a, &b))
            }
            (Unpacked::Finite(_), Unpacked::Infinity { .. }) => self.clone(),
            _ => Self::nan(self.format),
        }
    }
}

/// The sign of an exact sum that is zero.
fn zero_sign(a: bool, b: bool, mode: RoundingMode) -> bool {
    if a == b { a } else { mode == RoundingMode::Downward }
}

fn signed(x: &Finite, significand: UBig) -> IBig {
    if x.negative { -IBig::from(significand) } else { IBig::from(significand) }
}

fn add_finite(format: FloatFormat, mode: RoundingMode, a: Finite, b: Finite) -> FloatValue {
    match (a.is_zero(), b.is_zero()) {
        (true, true) => return FloatValue::zero(format, zero_sign(a.negative, b.negative, mode)),
        (true, false) => return round(format, mode, &b),
        (false, true) => return round(format, mode, &a),
        (false, false) => {}
    }
    let top = |x: &Finite| x.exponent + x.significand.bit_len() as i64;
    let (mut high, mut low) = if top(&a) >= top(&b) { (a, b) } else { (b, a) };
    // With this many bits, whatever lies far below the last one only matters by being there.
    let wanted = format.significand as usize + 3;
    let missing = wanted.saturating_sub(high.significand.bit_len());
    high.significand <<= missing;
    high.exponent -= missing as i64;
    if top(&low) < high.exponent - 2 {
        low.significand = UBig::ONE;
        low.exponent = high.exponent - 2;
    }
    let exponent = high.exponent.min(low.exponent);
    let aligned = |x: &Finite| signed(x, &x.significand << (x.exponent - exponent) as usize);
    let (sign, significand) = (aligned(&high) + aligned(&low)).into_parts();
    let negative = if significand.is_zero() {
        mode == RoundingMode::Downward
    } else {
        sign == dashu::base::Sign::Negative
    };
    round(format, mode, &Finite { negative, significand, exponent })
}

fn product(a: &Finite, b: &Finite) -> Finite {
    Finite {
        negative: a.negative != b.negative,
        significand: &a.significand * &b.significand,
        exponent: a.exponent + b.exponent,
    }
}

/// A number between the same neighbours as the quotient, as far as rounding can tell.
fn quotient(format: FloatFormat, a: &Finite, b: &Finite) -> Finite {
    let wanted = format.significand as usize + 3 + b.significand.bit_len();
    let shift = wanted.saturating_sub(a.significand.bit_len());
    let numerator = &a.significand << shift;
    let quotient = &numerator / &b.significand;
    let inexact = &quotient * &b.significand != numerator;
    Finite {
        negative: a.negative != b.negative,
        significand: quotient << 1 | UBig::from(u8::from(inexact)),
        exponent: a.exponent - b.exponent - shift as i64 - 1,
    }
}

/// Like [`quotient`], for the square root.
fn square_root(format: FloatFormat, mut x: Finite) -> Finite {
    let wanted = 2 * (format.significand as usize + 3);
    let mut shift = wanted.saturating_sub(x.significand.bit_len());
    if (x.exponent - shift as i64) % 2 != 0 {
        shift += 1;
    }
    x.significand <<= shift;
    x.exponent -= shift as i64;
    let (root, rest) = x.significand.sqrt_rem();
    Finite {
        negative: false,
        significand: root << 1 | UBig::from(u8::from(!rest.is_zero())),
        exponent: x.exponent / 2 - 1,
    }
}

fn remainder(a: Finite, b: &Finite) -> Finite {
    let top = |x: &Finite| x.exponent + x.significand.bit_len() as i64;
    if a.is_zero() || top(&a) + 1 < top(b) {
        return a;
    }
    let exponent = a.exponent.min(b.exponent);
    let divisor = &b.significand << (b.exponent - exponent) as usize;
    // Modulo twice the divisor, to learn whether the quotient is odd.
    let ring = ConstDivisor::new(&divisor << 1);
    let power = ring.reduce(UBig::from(2u8)).pow(&UBig::from((a.exponent - exponent) as u64));
    let mut rest = (power * ring.reduce(a.significand.clone())).residue();
    let odd = rest >= divisor;
    if odd {
        rest -= &divisor;
    }
    let twice = &rest << 1;
    if twice > divisor || twice == divisor && odd {
        return Finite { negative: !a.negative, significand: divisor - rest, exponent };
    }
    Finite { negative: a.negative, significand: rest, exponent }
}
