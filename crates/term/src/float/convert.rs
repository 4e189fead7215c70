//! Between formats, and between floats and integers.

use super::rounding::{round, shift_right};
use super::{Finite, FloatValue, Unpacked};
use crate::bitvec::BitVec;
use crate::op::RoundingMode;
use crate::sort::FloatFormat;
use dashu::base::Sign;
use dashu::integer::{IBig, UBig};

impl FloatValue {
    /// The integer, rounded into the format.
    pub fn from_integer(format: FloatFormat, value: &IBig, mode: RoundingMode) -> Self {
        let (sign, significand) = value.clone().into_parts();
        round(format, mode, &Finite { negative: sign == Sign::Negative, significand, exponent: 0 })
    }

    /// `value * 2^exponent`, rounded into the format.
    pub fn from_scaled(format: FloatFormat, value: &IBig, exponent: i64, mode: RoundingMode) -> Self {
        let (sign, significand) = value.clone().into_parts();
        round(format, mode, &Finite { negative: sign == Sign::Negative, significand, exponent })
    }

    /// The same number in another format.
    #[must_use]
    pub fn to_format(&self, format: FloatFormat, mode: RoundingMode) -> Self {
        match self.unpack() {
            Unpacked::Nan => Self::nan(format),
            Unpacked::Infinity { negative } => Self::infinity(format, negative),
            Unpacked::Finite(x) => round(format, mode, &x),
        }
    }

    /// The number rounded to an integer; `None` for NaN and the infinities.
    pub fn to_integer(&self, mode: RoundingMode) -> Option<IBig> {
        let Unpacked::Finite(x) = self.unpack() else { return None };
        let magnitude = shift_right(&x.significand, -x.exponent, mode, x.negative);
        let sign = if x.negative { Sign::Negative } else { Sign::Positive };
        Some(IBig::from_parts(sign, magnitude))
    }

    /// The number rounded to an integer that is a float; the sign is kept, also that of zero.
    #[must_use]
    pub fn round_to_integral(&self, mode: RoundingMode) -> Self {
        match self.unpack() {
            Unpacked::Finite(x) if x.exponent < 0 => {
                let significand = shift_right(&x.significand, -x.exponent, mode, x.negative);
                round(self.format, mode, &Finite { significand, exponent: 0, ..x })
            }
            _ => self.clone(),
        }
    }

    /// The rounded number in two's complement; 0 for what does not fit.
    pub fn to_signed(&self, width: u32, mode: RoundingMode) -> BitVec {
        let half = IBig::from(UBig::ONE << (width as usize - 1));
        self.to_integer_within(width, mode, &-&half, &half)
    }

    /// The rounded number; 0 for what does not fit.
    pub fn to_unsigned(&self, width: u32, mode: RoundingMode) -> BitVec {
        let limit = IBig::from(UBig::ONE << width as usize);
        self.to_integer_within(width, mode, &IBig::ZERO, &limit)
    }

    fn to_integer_within(&self, width: u32, mode: RoundingMode, low: &IBig, high: &IBig) -> BitVec {
        match self.to_integer(mode) {
            Some(value) if *low <= value && value < *high => BitVec::from_int(width, &value),
            _ => BitVec::zero(width),
        }
    }
}
