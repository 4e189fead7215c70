//! Circuits for IEEE 754 arithmetic.
//!
//! The design is that of symfpu (Brain, Schanda, Sun, "Building Better Bit-Blasting for
//! Floating-Point Problems", 2019): operands are unpacked into flags, exponent and a normalised
//! significand; the operation is done exactly as far as rounding can tell, with a sticky bit for
//! the rest; and one rounder brings the result back. Between operations floats are kept packed, and
//! the one NaN has one bit pattern.

mod add;
mod compare;
mod convert;
mod multiply;
mod remainder;
mod root;
mod round;
#[cfg(test)]
mod tests;

use super::aig::{Aig, Bit};
use super::word::{self, Word};
use term::{FloatFormat, FloatValue};

/// A float taken apart. The number is `significand * 2^exponent`, where the significand is read as
/// `1.xxx`; it has its highest bit set except for zeros, and only counts for finite numbers.
#[derive(Clone)]
pub(super) struct Unpacked {
    pub nan: Bit,
    pub infinite: Bit,
    pub zero: Bit,
    pub negative: Bit,
    /// Signed.
    pub exponent: Word,
    pub significand: Word,
}

/// A finite result before rounding; read like an [`Unpacked`], except that the lowest bit of the
/// significand also stands for everything below it.
pub(super) struct Exact {
    pub zero: Bit,
    pub negative: Bit,
    pub exponent: Word,
    pub significand: Word,
}

/// The number of bits that hold every integer from `low` to `high` in two's complement.
fn signed_bits(low: i64, high: i64) -> usize {
    let bits = |value: i64| 65 - (if value < 0 { !value } else { value }).leading_zeros() as usize;
    bits(low).max(bits(high))
}

/// The number of bits of the exponent of an [`Unpacked`], with room for one more or less.
fn exponent_bits(format: FloatFormat) -> usize {
    let smallest = format.min_exponent() - i64::from(format.significand) - 1;
    signed_bits(smallest, format.max_exponent() + 1)
}

/// The parts of a packed float.
struct Fields<'a> {
    fraction: &'a [Bit],
    exponent: &'a [Bit],
    sign: Bit,
}

fn fields(format: FloatFormat, bits: &[Bit]) -> Fields<'_> {
    let (magnitude, sign) = bits.split_at(bits.len() - 1);
    let (fraction, exponent) = magnitude.split_at(format.fraction() as usize);
    Fields { fraction, exponent, sign: sign[0] }
}

fn packed_nan(format: FloatFormat) -> Word {
    word::constant(FloatValue::nan(format).bits())
}

fn packed_infinity(format: FloatFormat, negative: Bit) -> Word {
    with_sign(&word::constant(FloatValue::infinity(format, false).bits()), negative)
}

fn packed_zero(format: FloatFormat, negative: Bit) -> Word {
    with_sign(&word::zeros(format.width() as usize), negative)
}

/// The same magnitude with another sign.
fn with_sign(bits: &[Bit], negative: Bit) -> Word {
    let mut result = bits.to_vec();
    if let Some(sign) = result.last_mut() {
        *sign = negative;
    }
    result
}

impl Aig {
    pub(super) fn float_is_nan(&mut self, format: FloatFormat, bits: &[Bit]) -> Bit {
        let fields = fields(format, bits);
        let ones = self.is_ones(fields.exponent);
        let zero = self.is_zero(fields.fraction);
        self.and(ones, !zero)
    }

    pub(super) fn float_is_infinite(&mut self, format: FloatFormat, bits: &[Bit]) -> Bit {
        let fields = fields(format, bits);
        let ones = self.is_ones(fields.exponent);
        let zero = self.is_zero(fields.fraction);
        self.and(ones, zero)
    }

    pub(super) fn float_is_zero(&mut self, bits: &[Bit]) -> Bit {
        self.is_zero(&bits[..bits.len() - 1])
    }

    pub(super) fn float_is_subnormal(&mut self, format: FloatFormat, bits: &[Bit]) -> Bit {
        let fields = fields(format, bits);
        let no_exponent = self.is_zero(fields.exponent);
        let no_fraction = self.is_zero(fields.fraction);
        self.and(no_exponent, !no_fraction)
    }

    pub(super) fn float_is_normal(&mut self, format: FloatFormat, bits: &[Bit]) -> Bit {
        let fields = fields(format, bits);
        let zero = self.is_zero(fields.exponent);
        let ones = self.is_ones(fields.exponent);
        self.and(!zero, !ones)
    }

    pub(super) fn float_is_negative(&mut self, format: FloatFormat, bits: &[Bit]) -> Bit {
        let nan = self.float_is_nan(format, bits);
        self.and(!nan, bits[bits.len() - 1])
    }

    pub(super) fn float_neg(&mut self, format: FloatFormat, bits: &[Bit]) -> Word {
        let nan = self.float_is_nan(format, bits);
        let negative = self.xor(!nan, bits[bits.len() - 1]);
        let flipped = self.mux(nan, Bit::FALSE, negative);
        with_sign(bits, flipped)
    }

    pub(super) fn float_abs(&mut self, bits: &[Bit]) -> Word {
        with_sign(bits, Bit::FALSE)
    }

    /// The one NaN for all patterns that are NaNs.
    pub(super) fn float_canonical(&mut self, format: FloatFormat, bits: &[Bit]) -> Word {
        let nan = self.float_is_nan(format, bits);
        self.mux_words(nan, &packed_nan(format), bits)
    }

    pub(super) fn unpack(&mut self, format: FloatFormat, bits: &[Bit]) -> Unpacked {
        let Fields { fraction, exponent, sign } = fields(format, bits);
        let width = exponent_bits(format);
        let no_exponent = self.is_zero(exponent);
        let no_fraction = self.is_zero(fraction);
        let special = self.is_ones(exponent);
        let raw = word::joined(fraction, &[!no_exponent]);
        let (significand, distance) = self.normalise(&raw);
        // Subnormal numbers have the exponent field of the smallest normal ones, which is 1.
        let mut field = word::zero_extended(exponent, width);
        field[0] = self.or(field[0], no_exponent);
        let biased = self.sub_words(&field, &word::zero_extended(&distance, width));
        let exponent = self.sub_words(&biased, &word::signed_number(width, format.bias()));
        Unpacked {
            nan: self.and(special, !no_fraction),
            infinite: self.and(special, no_fraction),
            zero: self.and(no_exponent, no_fraction),
            negative: sign,
            exponent,
            significand,
        }
    }

    /// Chooses among a NaN, an infinity, and a packed finite result.
    fn choose(
        &mut self,
        format: FloatFormat,
        nan: Bit,
        infinite: Bit,
        negative: Bit,
        finite: &[Bit],
    ) -> Word {
        let number = self.mux_words(infinite, &packed_infinity(format, negative), finite);
        self.mux_words(nan, &packed_nan(format), &number)
    }
}
