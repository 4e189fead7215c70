//! The IEEE 754 remainder, by long division.
//!
//! There is one step for each possible difference of the exponents: 277 for `float`, 2,098 for
//! `double`. It is exact, and it is large.

use super::{Exact, fields};
use crate::bitblast::aig::{Aig, Bit};
use crate::bitblast::word::{self, Word};
use term::{FloatFormat, RoundingMode};

impl Aig {
    pub(in crate::bitblast) fn float_rem(&mut self, format: FloatFormat, a: &[Bit], b: &[Bit]) -> Word {
        let (x, y) = (self.unpack(format, a), self.unpack(format, b));
        let nan = self.or_all([x.nan, y.nan, x.infinite, y.zero]);
        let width = x.exponent.len() + 1;
        let [p, q] = [&x, &y].map(|operand| word::sign_extended(&operand.exponent, width));
        let difference = self.sub_words(&p, &q);
        let (rest, odd) = self.long_division(format, &x.significand, &y.significand, &difference);
        let exact = self.nearest_rest(&rest, odd, &y.significand, x.negative, &q);
        let result = self.round(format, RoundingMode::NearestEven, &exact);
        // The dividend is below half of the divisor.
        let small = self.less_signed(&difference, &word::signed_number(width, -1));
        let unchanged = self.or_all([small, x.zero, y.infinite]);
        let finite = self.mux_words(unchanged, a, &result);
        debug_assert_eq!(fields(format, &finite).exponent.len(), format.exponent as usize);
        self.choose(format, nan, Bit::FALSE, Bit::FALSE, &finite)
    }

    /// Twice the remainder of `x * 2^difference` and `y`, and whether the quotient is odd. For a
    /// difference of -1 that is `x`.
    fn long_division(
        &mut self,
        format: FloatFormat,
        x: &[Bit],
        y: &[Bit],
        difference: &[Bit],
    ) -> (Word, Bit) {
        let bits = x.len();
        let largest = format.max_exponent() - format.min_exponent() + i64::from(format.significand) - 1;
        let divisor = word::zero_extended(y, bits + 1);
        // Below twice the divisor at the start of every step.
        let mut rest = word::zero_extended(x, bits + 1);
        let mut odd = Bit::FALSE;
        for step in (0..=largest).rev() {
            let bound = word::signed_number(difference.len(), step);
            let idle = self.less_signed(difference, &bound);
            let (reduced, fits) = self.sub_checked(&rest, &divisor);
            let kept = self.mux_words(fits, &reduced, &rest);
            let next = word::shifted_left(&kept, 1);
            rest = self.mux_words(idle, &rest, &next);
            odd = self.mux(idle, odd, fits);
        }
        (rest, odd)
    }

    /// From twice the remainder to the one that is nearest to zero, in units of half a divisor.
    fn nearest_rest(&mut self, twice: &[Bit], odd: Bit, y: &[Bit], negative: Bit, exponent: &[Bit]) -> Exact {
        let bits = twice.len();
        let divisor = word::zero_extended(y, bits);
        let below = self.less_unsigned(twice, &divisor);
        let equal = self.equal_words(twice, &divisor);
        let tie_to_even = self.and(equal, !odd);
        let stays = self.or(below, tie_to_even);
        let other = self.sub_words(&word::shifted_left(&divisor, 1), twice);
        let size = self.mux_words(stays, twice, &other);
        let zero = self.is_zero(&size);
        let flipped = self.xor(negative, !stays);
        let (significand, distance) = self.normalise(&size);
        let width = exponent.len().max(distance.len() + 1) + 1;
        let exponent = word::sign_extended(exponent, width);
        // One bit more than the significand of the divisor, of half the weight: the exponents agree.
        let exponent = self.sub_words(&exponent, &word::zero_extended(&distance, width));
        Exact { zero, negative: self.mux(zero, negative, flipped), exponent, significand }
    }
}
