//! The rounder: from an exact result to a packed float.

use super::{Exact, packed_infinity, packed_zero, with_sign};
use crate::bitblast::aig::{Aig, Bit};
use crate::bitblast::word::{self, Word};
use term::{FloatFormat, FloatValue, RoundingMode};

impl Aig {
    /// Whether a magnitude with last bit `last` goes up to the next one, given the first bit that is
    /// cut off and whether there is anything after it.
    pub(super) fn rounds_up(
        &mut self,
        mode: RoundingMode,
        negative: Bit,
        last: Bit,
        guard: Bit,
        sticky: Bit,
    ) -> Bit {
        match mode {
            RoundingMode::NearestEven => {
                let not_tie_or_odd = self.or(sticky, last);
                self.and(guard, not_tie_or_odd)
            }
            RoundingMode::NearestAway => guard,
            RoundingMode::Upward => {
                let inexact = self.or(guard, sticky);
                self.and(!negative, inexact)
            }
            RoundingMode::Downward => {
                let inexact = self.or(guard, sticky);
                self.and(negative, inexact)
            }
            RoundingMode::TowardZero => Bit::FALSE,
        }
    }

    /// The nearest representable numbers decide; zeros keep the sign of the exact result.
    pub(super) fn round(&mut self, format: FloatFormat, mode: RoundingMode, exact: &Exact) -> Word {
        let precision = format.significand as usize;
        // Kept bits, guard bit, sticky bit.
        let significand = self.cut(&exact.significand, precision + 2);
        let width = exact.exponent.len().max(format.exponent as usize) + 2;
        let exponent = word::sign_extended(&exact.exponent, width);
        let smallest = word::signed_number(width, format.min_exponent());
        let missing = self.sub_words(&smallest, &exponent);
        // Below the smallest exponent, the number loses bits instead.
        let positive = self.is_positive(&missing);
        let distance = self.mask_word(positive, &missing[..width - 1]);
        let shifted = self.shift_right_sticky(&significand, &distance);
        let (sticky, guard, kept) = (shifted[0], shifted[1], &shifted[2..]);
        let up = self.rounds_up(mode, exact.negative, kept[0], guard, sticky);
        // The field of a subnormal number is 0. Rounding up carries over into the exponent field,
        // from the largest subnormal number to the smallest normal one, too.
        let biased = self.add_words(&exponent, &word::signed_number(width, format.bias()));
        let field = self.mask_word(!positive, &biased);
        let magnitude = word::joined(&kept[..precision - 1], &field);
        let magnitude = self.increment(&magnitude, up);
        let overflow = self.overflows(format, &magnitude[precision - 1..]);
        let finite = word::joined(&magnitude[..format.width() as usize - 1], &[exact.negative]);
        let limit = self.overflow_result(format, mode, exact.negative);
        let result = self.mux_words(overflow, &limit, &finite);
        self.mux_words(exact.zero, &packed_zero(format, exact.negative), &result)
    }

    /// The highest `width` bits, the lowest of which also stands for what is cut off.
    fn cut(&mut self, significand: &[Bit], width: usize) -> Word {
        let length = significand.len();
        if length <= width {
            return word::joined(&word::zeros(width - length), significand);
        }
        let (lost, kept) = significand.split_at(length - width);
        let mut result = kept.to_vec();
        let sticky = self.or_all(lost.iter().copied());
        result[0] = self.or(result[0], sticky);
        result
    }

    fn is_positive(&mut self, word: &[Bit]) -> Bit {
        let (magnitude, sign) = word.split_at(word.len() - 1);
        let zero = self.is_zero(magnitude);
        self.and(!sign[0], !zero)
    }

    /// Whether a signed exponent field is too large: at least all ones.
    fn overflows(&mut self, format: FloatFormat, field: &[Bit]) -> Bit {
        let (low, high) = field.split_at(format.exponent as usize);
        let (beyond, sign) = high.split_at(high.len() - 1);
        let ones = self.is_ones(low);
        let far = self.or_all(beyond.iter().copied());
        let large = self.or(ones, far);
        self.and(large, !sign[0])
    }

    fn overflow_result(&mut self, format: FloatFormat, mode: RoundingMode, negative: Bit) -> Word {
        let largest = with_sign(&word::constant(FloatValue::largest(format, false).bits()), negative);
        let infinity = packed_infinity(format, negative);
        match mode {
            RoundingMode::NearestEven | RoundingMode::NearestAway => infinity,
            RoundingMode::TowardZero => largest,
            RoundingMode::Upward => self.mux_words(negative, &largest, &infinity),
            RoundingMode::Downward => self.mux_words(negative, &infinity, &largest),
        }
    }
}
