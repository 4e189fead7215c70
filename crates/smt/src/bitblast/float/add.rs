//! Addition, and multiplication with addition in one rounding.

use super::{Exact, Unpacked, fields};
use crate::bitblast::aig::{Aig, Bit};
use crate::bitblast::word::{self, Word};
use term::{FloatFormat, RoundingMode};

/// Bits below the significands, so that what is lost by aligning only matters by being there.
const GUARD: usize = 3;

/// An operand of an exact addition. If its exponent is not the smallest possible one, one of its
/// two highest bits is set.
struct Summand {
    negative: Bit,
    exponent: Word,
    significand: Word,
}

impl Aig {
    pub(in crate::bitblast) fn float_add(
        &mut self,
        format: FloatFormat,
        mode: RoundingMode,
        a: &[Bit],
        b: &[Bit],
    ) -> Word {
        let sum = {
            let (x, y) = (self.summand(format, a), self.summand(format, b));
            self.add_exact(mode, x, y)
        };
        let finite = self.round(format, mode, &sum);
        let [nan_a, nan_b] = [a, b].map(|bits| self.float_is_nan(format, bits));
        let [infinite_a, infinite_b] = [a, b].map(|bits| self.float_is_infinite(format, bits));
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let opposite = self.xor(sign_a, sign_b);
        let clash = self.and_all([infinite_a, infinite_b, opposite]);
        let nan = self.or_all([nan_a, nan_b, clash]);
        let infinite = self.or(infinite_a, infinite_b);
        let sign = self.mux(infinite_a, sign_a, sign_b);
        self.choose(format, nan, infinite, sign, &finite)
    }

    /// A packed operand, not normalised: subnormal numbers keep the smallest exponent.
    fn summand(&mut self, format: FloatFormat, bits: &[Bit]) -> Summand {
        let fields = fields(format, bits);
        let no_exponent = self.is_zero(fields.exponent);
        // One bit more for the sign.
        let width = fields.exponent.len() + 1;
        let mut field = word::zero_extended(fields.exponent, width);
        field[0] = self.or(field[0], no_exponent);
        let bias = word::signed_number(width + 1, format.bias());
        let exponent = self.sub_words(&word::zero_extended(&field, width + 1), &bias);
        Summand {
            negative: fields.sign,
            exponent,
            significand: word::joined(fields.fraction, &[!no_exponent]),
        }
    }

    /// The exact sum of two numbers with exponents and significands of the same widths.
    fn add_exact(&mut self, mode: RoundingMode, a: Summand, b: Summand) -> Exact {
        let (high, low) = self.by_exponent(a, b);
        let width = high.exponent.len() + 1;
        let extended = [&high, &low].map(|x| word::sign_extended(&x.exponent, width));
        let distance = self.sub_words(&extended[0], &extended[1]);
        let widened = |x: &Summand| word::joined(&word::zeros(GUARD), &x.significand);
        let aligned = self.shift_right_sticky(&widened(&low), &distance[..width - 1]);
        // One bit for the carry, one for the sign.
        let bits = high.significand.len() + GUARD + 2;
        let (x, y) = (word::zero_extended(&widened(&high), bits), word::zero_extended(&aligned, bits));
        let subtract = self.xor(high.negative, low.negative);
        let flipped: Word = y.iter().map(|&bit| self.xor(bit, subtract)).collect();
        let (sum, _) = self.add_with_carry(&x, &flipped, subtract);
        let below_zero = sum[bits - 1];
        let size = self.neg_word_if(below_zero, &sum[..bits - 1]);
        let negative = self.xor(high.negative, below_zero);
        let zero = self.is_zero(&size);
        // An exact zero is positive unless both operands were negative, or rounding is downward.
        let both_negative = self.and(high.negative, low.negative);
        let either_negative = self.or(high.negative, low.negative);
        let zero_sign = if mode == RoundingMode::Downward { either_negative } else { both_negative };
        let (significand, distance) = self.normalise(&size);
        let one_more = self.increment(&extended[0], Bit::TRUE);
        let exponent_width = width.max(distance.len() + 1) + 1;
        let exponent = word::sign_extended(&one_more, exponent_width);
        let exponent = self.sub_words(&exponent, &word::zero_extended(&distance, exponent_width));
        Exact { zero, negative: self.mux(zero, zero_sign, negative), exponent, significand }
    }

    /// The operand with the larger exponent first.
    fn by_exponent(&mut self, a: Summand, b: Summand) -> (Summand, Summand) {
        let swap = self.less_signed(&a.exponent, &b.exponent);
        let mut pick = |first: &Summand, second: &Summand| Summand {
            negative: self.mux(swap, second.negative, first.negative),
            exponent: self.mux_words(swap, &second.exponent, &first.exponent),
            significand: self.mux_words(swap, &second.significand, &first.significand),
        };
        (pick(&a, &b), pick(&b, &a))
    }

    pub(in crate::bitblast) fn float_fma(
        &mut self,
        format: FloatFormat,
        mode: RoundingMode,
        operands: [&[Bit]; 3],
    ) -> Word {
        let [a, b, c] = operands.map(|bits| self.unpack(format, bits));
        let negative = self.xor(a.negative, b.negative);
        let product_zero = self.or(a.zero, b.zero);
        let product_infinite = self.or(a.infinite, b.infinite);
        let no_product = self.and(product_infinite, product_zero);
        let clash_sign = self.xor(negative, c.negative);
        let clash = self.and_all([product_infinite, c.infinite, clash_sign]);
        let nan = self.or_all([a.nan, b.nan, c.nan, no_product, clash]);
        let infinite = self.or(product_infinite, c.infinite);
        let infinity_sign = self.mux(product_infinite, negative, c.negative);
        let sum = {
            let product = self.product(&a, &b, product_zero);
            let addend = self.addend(&c, product.exponent.len());
            self.add_exact(mode, product, addend)
        };
        let finite = self.round(format, mode, &sum);
        self.choose(format, nan, infinite, infinity_sign, &finite)
    }

    /// The exact product. A zero gets an exponent that is not above that of any other number.
    fn product(&mut self, a: &Unpacked, b: &Unpacked, zero: Bit) -> Summand {
        let bits = a.significand.len();
        let [x, y] = [a, b].map(|x| word::zero_extended(&x.significand, 2 * bits));
        let width = a.exponent.len() + 2;
        let [p, q] = [a, b].map(|x| word::sign_extended(&x.exponent, width));
        // The product of two numbers below 2 is below 4.
        let (exponent, _) = self.add_with_carry(&p, &q, Bit::TRUE);
        let lowest = word::signed_number(width, -(1 << (width - 1)));
        Summand {
            negative: self.xor(a.negative, b.negative),
            exponent: self.mux_words(zero, &lowest, &exponent),
            significand: self.mul_words(&x, &y),
        }
    }

    /// The third operand in the widths of the product.
    fn addend(&mut self, c: &Unpacked, width: usize) -> Summand {
        let bits = c.significand.len();
        let lowest = word::signed_number(width, -(1 << (width - 1)));
        let exponent = word::sign_extended(&c.exponent, width);
        Summand {
            negative: c.negative,
            exponent: self.mux_words(c.zero, &lowest, &exponent),
            significand: word::joined(&word::zeros(bits), &c.significand),
        }
    }
}
