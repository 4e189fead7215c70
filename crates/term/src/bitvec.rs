//! Bit-vector values: integers modulo 2^width.
//!
//! Values of up to 64 bits are one machine word; wider ones are big integers. Every operation has
//! the meaning that SMT-LIB gives it, division by zero included.

use dashu::base::BitTest;
use dashu::integer::{IBig, UBig};
use std::cmp::Ordering;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Bits {
    /// For widths up to 64; bits above the width are 0.
    Small(u64),
    /// For wider ones; below 2^width.
    Big(UBig),
}

/// A value of sort `BitVec(width)`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVec {
    width: u32,
    bits: Bits,
}

/// The low `width` bits set, for widths up to 64.
#[inline]
pub(crate) const fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The value of the low `width` bits as a signed number, for widths up to 64.
#[inline]
const fn signed(width: u32, bits: u64) -> i64 {
    let shift = 64 - width;
    ((bits << shift) as i64) >> shift
}

fn power_of_two(exponent: u32) -> UBig {
    UBig::ONE << exponent as usize
}

impl BitVec {
    /// `value` modulo 2^width.
    ///
    /// # Panics
    /// If the width is 0.
    #[inline]
    pub fn new(width: u32, value: u64) -> Self {
        assert!(width > 0, "a bit-vector has at least one bit");
        let bits = if width <= 64 { Bits::Small(value & mask(width)) } else { Bits::Big(UBig::from(value)) };
        Self { width, bits }
    }

    /// `value` modulo 2^width, sign-extended from 64 bits where needed.
    pub fn from_i64(width: u32, value: i64) -> Self {
        if width <= 64 { Self::new(width, value as u64) } else { Self::from_int(width, &IBig::from(value)) }
    }

    /// `value` modulo 2^width.
    pub fn from_big(width: u32, value: &UBig) -> Self {
        assert!(width > 0, "a bit-vector has at least one bit");
        let mut value = value.clone();
        value.clear_high_bits(width as usize);
        if width <= 64 {
            return Self::new(width, u64::try_from(&value).unwrap_or(0));
        }
        Self { width, bits: Bits::Big(value) }
    }

    /// `value` modulo 2^width.
    pub fn from_int(width: u32, value: &IBig) -> Self {
        let (sign, magnitude) = value.clone().into_parts();
        let magnitude = Self::from_big(width, &magnitude);
        if sign == dashu::base::Sign::Negative { magnitude.neg() } else { magnitude }
    }

    pub fn zero(width: u32) -> Self {
        Self::new(width, 0)
    }

    pub fn one(width: u32) -> Self {
        Self::new(width, 1)
    }

    pub fn ones(width: u32) -> Self {
        Self::zero(width).not()
    }

    /// 2^exponent modulo 2^width.
    pub fn power_of_two(width: u32, exponent: u32) -> Self {
        match () {
            () if exponent >= width => Self::zero(width),
            () if width <= 64 => Self::new(width, 1 << exponent),
            () => Self { width, bits: Bits::Big(power_of_two(exponent)) },
        }
    }

    /// The largest signed value.
    pub fn signed_max(width: u32) -> Self {
        Self::signed_min(width).not()
    }

    /// The smallest signed value: only the sign bit set.
    pub fn signed_min(width: u32) -> Self {
        Self::power_of_two(width, width - 1)
    }

    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value, if the width is at most 64.
    #[inline]
    pub fn small(&self) -> Option<u64> {
        match self.bits {
            Bits::Small(value) => Some(value),
            Bits::Big(_) => None,
        }
    }

    /// The unsigned value, if it is below 2^64.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Small(value) => Some(*value),
            Bits::Big(value) => u64::try_from(value).ok(),
        }
    }

    /// The unsigned value.
    pub fn to_big(&self) -> UBig {
        match &self.bits {
            Bits::Small(value) => UBig::from(*value),
            Bits::Big(value) => value.clone(),
        }
    }

    /// The value in two's complement.
    pub fn to_signed(&self) -> IBig {
        match self.small() {
            Some(bits) => IBig::from(signed(self.width, bits)),
            None if self.is_negative() => IBig::from(self.to_big()) - IBig::from(power_of_two(self.width)),
            None => IBig::from(self.to_big()),
        }
    }

    pub fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Bits::Small(value) => index < 64 && value >> index & 1 == 1,
            Bits::Big(value) => value.bit(index as usize),
        }
    }

    /// The sign bit.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    #[inline]
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(value) => *value == 0,
            Bits::Big(value) => value.is_zero(),
        }
    }

    #[inline]
    pub fn is_one(&self) -> bool {
        match &self.bits {
            Bits::Small(value) => *value == 1,
            Bits::Big(value) => value.is_one(),
        }
    }

    pub fn is_ones(&self) -> bool {
        match &self.bits {
            Bits::Small(value) => *value == mask(self.width),
            Bits::Big(value) => value.count_ones() == self.width as usize,
        }
    }

    /// `k` if the value is 2^k.
    pub fn log2(&self) -> Option<u32> {
        match &self.bits {
            Bits::Small(value) if value.is_power_of_two() => Some(value.trailing_zeros()),
            Bits::Small(_) => None,
            Bits::Big(value) => {
                let zeros = value.trailing_zeros()?;
                (value.bit_len() == zeros + 1).then_some(zeros as u32)
            }
        }
    }

    /// The number of zero bits below the lowest one bit; the width for 0.
    pub fn trailing_zeros(&self) -> u32 {
        match &self.bits {
            Bits::Small(value) => value.trailing_zeros().min(self.width),
            Bits::Big(value) => value.trailing_zeros().map_or(self.width, |zeros| zeros as u32),
        }
    }

    /// The number of bits needed to write the unsigned value; 0 for 0.
    pub fn bit_length(&self) -> u32 {
        match &self.bits {
            Bits::Small(value) => 64 - value.leading_zeros(),
            Bits::Big(value) => value.bit_len() as u32,
        }
    }

    #[inline]
    fn binary(
        &self,
        other: &Self,
        small: impl FnOnce(u64, u64) -> u64,
        big: impl FnOnce(&UBig, &UBig) -> UBig,
    ) -> Self {
        debug_assert_eq!(self.width, other.width);
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => Self::new(self.width, small(*a, *b)),
            (Bits::Big(a), Bits::Big(b)) => Self::from_big(self.width, &big(a, b)),
            _ => unreachable!("operands have the same width"),
        }
    }

    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        self.binary(other, u64::wrapping_add, |a, b| a + b)
    }

    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        let modulus = self.width;
        self.binary(other, u64::wrapping_sub, |a, b| a + power_of_two(modulus) - b)
    }

    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        self.binary(other, u64::wrapping_mul, |a, b| a * b)
    }

    #[must_use]
    pub fn neg(&self) -> Self {
        Self::zero(self.width).sub(self)
    }

    #[must_use]
    pub fn not(&self) -> Self {
        match &self.bits {
            Bits::Small(value) => Self::new(self.width, !value),
            Bits::Big(value) => {
                Self { width: self.width, bits: Bits::Big(power_of_two(self.width) - UBig::ONE - value) }
            }
        }
    }

    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        self.binary(other, |a, b| a & b, |a, b| a & b)
    }

    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        self.binary(other, |a, b| a | b, |a, b| a | b)
    }

    #[must_use]
    pub fn xor(&self, other: &Self) -> Self {
        self.binary(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    #[must_use]
    pub fn udiv(&self, other: &Self) -> Self {
        if other.is_zero() {
            return Self::ones(self.width);
        }
        self.binary(other, |a, b| a / b, |a, b| a / b)
    }

    #[must_use]
    pub fn urem(&self, other: &Self) -> Self {
        if other.is_zero() {
            return self.clone();
        }
        self.binary(other, |a, b| a % b, |a, b| a % b)
    }

    fn magnitude(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    fn negated_if(&self, condition: bool) -> Self {
        if condition { self.neg() } else { self.clone() }
    }

    #[must_use]
    pub fn sdiv(&self, other: &Self) -> Self {
        let quotient = self.magnitude().udiv(&other.magnitude());
        quotient.negated_if(self.is_negative() != other.is_negative())
    }

    #[must_use]
    pub fn srem(&self, other: &Self) -> Self {
        self.magnitude().urem(&other.magnitude()).negated_if(self.is_negative())
    }

    /// The shift distance, or `None` if it is at least the width.
    fn distance(&self, by: &Self) -> Option<u32> {
        by.to_u64().and_then(|by| u32::try_from(by).ok()).filter(|&by| by < self.width)
    }

    #[must_use]
    pub fn shl(&self, by: &Self) -> Self {
        let Some(by) = self.distance(by) else { return Self::zero(self.width) };
        match &self.bits {
            Bits::Small(value) => Self::new(self.width, value << by),
            Bits::Big(value) => Self::from_big(self.width, &(value << by as usize)),
        }
    }

    #[must_use]
    pub fn lshr(&self, by: &Self) -> Self {
        let Some(by) = self.distance(by) else { return Self::zero(self.width) };
        match &self.bits {
            Bits::Small(value) => Self::new(self.width, value >> by),
            Bits::Big(value) => Self::from_big(self.width, &(value >> by as usize)),
        }
    }

    #[must_use]
    pub fn ashr(&self, by: &Self) -> Self {
        if self.is_negative() { self.not().lshr(by).not() } else { self.lshr(by) }
    }

    pub fn ult(&self, other: &Self) -> bool {
        self.unsigned_cmp(other) == Ordering::Less
    }

    pub fn slt(&self, other: &Self) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => true,
            (false, true) => false,
            _ => self.ult(other),
        }
    }

    pub fn unsigned_cmp(&self, other: &Self) -> Ordering {
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => a.cmp(b),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }

    /// `self` above `low`.
    #[must_use]
    pub fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        match (&self.bits, &low.bits) {
            (Bits::Small(high), Bits::Small(rest)) if width <= 64 => {
                Self::new(width, high << low.width | rest)
            }
            _ => Self::from_big(width, &((self.to_big() << low.width as usize) | low.to_big())),
        }
    }

    /// The bits `low..=high`.
    #[must_use]
    pub fn extract(&self, high: u32, low: u32) -> Self {
        debug_assert!(low <= high && high < self.width);
        let width = high - low + 1;
        match &self.bits {
            Bits::Small(value) => Self::new(width, value >> low),
            Bits::Big(value) => Self::from_big(width, &(value >> low as usize)),
        }
    }

    /// The same unsigned value in a larger or equal width.
    #[must_use]
    pub fn zero_extend(&self, width: u32) -> Self {
        debug_assert!(width >= self.width);
        match &self.bits {
            Bits::Small(value) => Self::new(width, *value),
            Bits::Big(value) => Self { width, bits: Bits::Big(value.clone()) },
        }
    }

    /// The same signed value in a larger or equal width.
    #[must_use]
    pub fn sign_extend(&self, width: u32) -> Self {
        if self.is_negative() { self.not().zero_extend(width).not() } else { self.zero_extend(width) }
    }

    /// The inverse of an odd value modulo 2^width.
    pub fn inverse(&self) -> Option<Self> {
        if !self.bit(0) {
            return None;
        }
        // Newton's iteration doubles the number of correct bits, starting from three.
        let two = Self::new(self.width, 2);
        let mut inverse = self.clone();
        let mut correct = 3;
        while correct < self.width {
            inverse = inverse.mul(&two.sub(&self.mul(&inverse)));
            correct *= 2;
        }
        Some(inverse)
    }
}

/// As SMT-LIB 2 writes it, in binary or hexadecimal digits.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width as usize;
        match (&self.bits, width % 4) {
            (Bits::Small(value), 0) => write!(f, "#x{value:0digits$x}", digits = width / 4),
            (Bits::Small(value), _) => write!(f, "#b{value:0width$b}"),
            (Bits::Big(value), 0) => write!(f, "#x{value:0digits$x}", digits = width / 4),
            (Bits::Big(value), _) => write!(f, "#b{value:0width$b}"),
        }
    }
}

impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.to_big(), self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_zero_is_that_of_smtlib() {
        let zero = BitVec::zero(8);
        let minus_five = BitVec::from_i64(8, -5);
        assert!(minus_five.udiv(&zero).is_ones());
        assert_eq!(minus_five.urem(&zero), minus_five);
        assert!(minus_five.sdiv(&zero).is_one());
        assert!(BitVec::new(8, 5).sdiv(&zero).is_ones());
        assert_eq!(minus_five.srem(&zero), minus_five);
    }

    #[test]
    fn wide_and_narrow_agree() {
        for a in [0u64, 1, 5, 0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, u64::MAX] {
            for b in [0u64, 1, 3, 63, 64, 0x8000_0000_0000_0001, u64::MAX] {
                let (small_a, small_b) = (BitVec::new(64, a), BitVec::new(64, b));
                let (big_a, big_b) = (small_a.sign_extend(130), small_b.sign_extend(130));
                assert_eq!(big_a.add(&big_b).extract(63, 0), small_a.add(&small_b));
                assert_eq!(big_a.sub(&big_b).extract(63, 0), small_a.sub(&small_b));
                assert_eq!(big_a.mul(&big_b).extract(63, 0), small_a.mul(&small_b));
                assert_eq!(big_a.slt(&big_b), small_a.slt(&small_b));
                assert_eq!(big_a.srem(&big_b).extract(63, 0), small_a.srem(&small_b));
            }
        }
    }

    #[test]
    fn odd_values_have_inverses() {
        for width in [1, 2, 3, 8, 64, 100] {
            for value in [1, 3, 5, 0xdead_beef_1234_5677] {
                let odd = BitVec::new(width, value);
                assert!(odd.mul(&odd.inverse().unwrap()).is_one());
            }
        }
    }

    #[test]
    fn printing_uses_all_digits() {
        assert_eq!(BitVec::new(8, 10).to_string(), "#x0a");
        assert_eq!(BitVec::new(3, 2).to_string(), "#b010");
        assert_eq!(BitVec::new(68, 10).to_string(), "#x0000000000000000a");
    }
}
