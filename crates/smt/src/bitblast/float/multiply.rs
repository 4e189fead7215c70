//! Multiplication and division.

use super::Exact;
use crate::bitblast::aig::{Aig, Bit};
use crate::bitblast::word::{self, Word};
use term::{FloatFormat, RoundingMode};

impl Aig {
    pub(in crate::bitblast) fn float_mul(
        &mut self,
        format: FloatFormat,
        mode: RoundingMode,
        a: &[Bit],
        b: &[Bit],
    ) -> Word {
        let (a, b) = (self.unpack(format, a), self.unpack(format, b));
        let negative = self.xor(a.negative, b.negative);
        let zero = self.or(a.zero, b.zero);
        let infinite = self.or(a.infinite, b.infinite);
        let undefined = self.and(zero, infinite);
        let nan = self.or_all([a.nan, b.nan, undefined]);
        let bits = a.significand.len();
        let [x, y] = [&a, &b].map(|operand| word::zero_extended(&operand.significand, 2 * bits));
        let product = self.mul_words(&x, &y);
        let width = a.exponent.len() + 2;
        let [p, q] = [&a, &b].map(|operand| word::sign_extended(&operand.exponent, width));
        // The product is in [1, 4): one place to the left if it is below 2.
        let large = product[2 * bits - 1];
        let significand = self.mux_words(large, &product, &word::shifted_left(&product, 1));
        let (exponent, _) = self.add_with_carry(&p, &q, large);
        let finite = self.round(format, mode, &Exact { zero, negative, exponent, significand });
        self.choose(format, nan, infinite, negative, &finite)
    }

    pub(in crate::bitblast) fn float_div(
        &mut self,
        format: FloatFormat,
        mode: RoundingMode,
        a: &[Bit],
        b: &[Bit],
    ) -> Word {
        let (a, b) = (self.unpack(format, a), self.unpack(format, b));
        let negative = self.xor(a.negative, b.negative);
        let no_numbers = self.and(a.infinite, b.infinite);
        let no_quotient = self.and(a.zero, b.zero);
        let nan = self.or_all([a.nan, b.nan, no_numbers, no_quotient]);
        let infinite = self.or(a.infinite, b.zero);
        let zero = self.or(a.zero, b.infinite);
        let quotient = self.divide_significands(&a.significand, &b.significand);
        let width = a.exponent.len() + 2;
        let [p, q] = [&a, &b].map(|operand| word::sign_extended(&operand.exponent, width));
        // The quotient is in (1/2, 2): one place to the left if it is below 1.
        let large = quotient[quotient.len() - 1];
        let significand = self.mux_words(large, &quotient, &word::shifted_left(&quotient, 1));
        // p - q - 1, plus 1 if it is large
        let (exponent, _) = self.add_with_carry(&p, &word::inverted(&q), large);
        let finite = self.round(format, mode, &Exact { zero, negative, exponent, significand });
        self.choose(format, nan, infinite, negative, &finite)
    }

    /// The quotient of two numbers in [1, 2): its integer bit, enough bits after the point to round,
    /// and a sticky bit.
    fn divide_significands(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let bits = a.len();
        let divisor = word::zero_extended(b, bits + 1);
        let mut rest = word::zero_extended(a, bits + 1);
        let mut digits = Vec::new();
        for _ in 0..bits + 2 {
            let (difference, fits) = self.sub_checked(&rest, &divisor);
            let kept = self.mux_words(fits, &difference, &rest);
            digits.push(fits);
            rest = word::shifted_left(&kept, 1);
        }
        let exact = self.is_zero(&rest);
        digits.push(!exact);
        digits.reverse();
        digits
    }
}
