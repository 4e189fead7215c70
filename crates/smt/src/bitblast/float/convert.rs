//! Between formats, and between floats and integers.

use super::{Exact, Unpacked};
use crate::bitblast::aig::{Aig, Bit};
use crate::bitblast::word::{self, Word};
use term::{FloatFormat, RoundingMode};

impl Aig {
    pub(in crate::bitblast) fn float_to_float(
        &mut self,
        from: FloatFormat,
        to: FloatFormat,
        mode: RoundingMode,
        bits: &[Bit],
    ) -> Word {
        let Unpacked { nan, infinite, zero, negative, exponent, significand } = self.unpack(from, bits);
        let finite = self.round(to, mode, &Exact { zero, negative, exponent, significand });
        self.choose(to, nan, infinite, negative, &finite)
    }

    pub(in crate::bitblast) fn float_from_integer(
        &mut self,
        to: FloatFormat,
        mode: RoundingMode,
        bits: &[Bit],
        signed: bool,
    ) -> Word {
        let negative = if signed { bits[bits.len() - 1] } else { Bit::FALSE };
        let size = self.neg_word_if(negative, bits);
        let zero = self.is_zero(&size);
        let (significand, distance) = self.normalise(&size);
        let width = distance.len() + 2;
        let highest = word::number(width, bits.len() as u64 - 1);
        let exponent = self.sub_words(&highest, &word::zero_extended(&distance, width));
        self.round(to, mode, &Exact { zero, negative, exponent, significand })
    }

    /// The magnitude rounded to an integer of `width` bits and a carry; and whether the number has
    /// more integer digits than that.
    fn integer_magnitude(&mut self, mode: RoundingMode, x: &Unpacked, width: usize) -> (Word, Bit) {
        // The significand as if the exponent were the largest that fits, then moved down.
        let length = x.significand.len().max(width + 2);
        let aligned = word::joined(&word::zeros(length - x.significand.len()), &x.significand);
        let bits = x.exponent.len().max(usize::BITS as usize - width.leading_zeros() as usize + 1) + 1;
        let exponent = word::sign_extended(&x.exponent, bits);
        let largest = word::number(bits, width as u64 - 1);
        let too_large = self.less_signed(&largest, &exponent);
        let distance = self.sub_words(&largest, &exponent);
        let moved = self.shift_right_sticky(&aligned, &distance);
        let (fraction, integer) = moved.split_at(length - width);
        let (rest, guard) = fraction.split_at(fraction.len() - 1);
        let sticky = self.or_all(rest.iter().copied());
        let up = self.rounds_up(mode, x.negative, integer[0], guard[0], sticky);
        let rounded = self.increment(&word::zero_extended(integer, width + 1), up);
        let nothing = self.or(x.zero, too_large);
        (self.mask_word(!nothing, &rounded), too_large)
    }

    /// The rounded number as an integer; 0 if it does not fit.
    pub(in crate::bitblast) fn float_to_integer(
        &mut self,
        from: FloatFormat,
        mode: RoundingMode,
        bits: &[Bit],
        width: usize,
        signed: bool,
    ) -> Word {
        let x = self.unpack(from, bits);
        let (size, too_large) = self.integer_magnitude(mode, &x, width);
        let beyond = if signed {
            let limit = word::joined(&word::zeros(width - 1), &[Bit::TRUE, Bit::FALSE]);
            let at_least = {
                let less = self.less_unsigned(&size, &limit);
                !less
            };
            let more = self.less_unsigned(&limit, &size);
            self.mux(x.negative, more, at_least)
        } else {
            let nothing = self.is_zero(&size);
            let below_zero = self.and(x.negative, !nothing);
            self.or(below_zero, size[width])
        };
        let invalid = self.or_all([x.nan, x.infinite, too_large, beyond]);
        let value = self.neg_word_if(x.negative, &size[..width]);
        self.mask_word(!invalid, &value)
    }

    pub(in crate::bitblast) fn float_round_to_integral(
        &mut self,
        format: FloatFormat,
        mode: RoundingMode,
        bits: &[Bit],
    ) -> Word {
        let x = self.unpack(format, bits);
        let precision = format.significand as usize;
        // What has more digits than the significand is an integer already.
        let (size, too_large) = self.integer_magnitude(mode, &x, precision);
        let zero = self.is_zero(&size);
        let (significand, distance) = self.normalise(&size);
        let width = distance.len() + 2;
        let highest = word::number(width, precision as u64);
        let exponent = self.sub_words(&highest, &word::zero_extended(&distance, width));
        let exact = Exact { zero, negative: x.negative, exponent, significand };
        let rounded = self.round(format, mode, &exact);
        let unchanged = self.or_all([x.nan, x.infinite, too_large]);
        self.mux_words(unchanged, bits, &rounded)
    }
}
