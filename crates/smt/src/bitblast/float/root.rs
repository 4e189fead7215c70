//! Square root, digit by digit.

use super::Exact;
use crate::bitblast::aig::{Aig, Bit};
use crate::bitblast::word::{self, Word};
use term::{FloatFormat, RoundingMode};

impl Aig {
    pub(in crate::bitblast) fn float_sqrt(
        &mut self,
        format: FloatFormat,
        mode: RoundingMode,
        bits: &[Bit],
    ) -> Word {
        let x = self.unpack(format, bits);
        let below_zero = self.and(x.negative, !x.zero);
        let nan = self.or(x.nan, below_zero);
        // With an even exponent, the radicand is in [1, 4).
        let odd = x.exponent[0];
        let mut radicand = word::joined(&x.significand, &[Bit::FALSE]);
        radicand = self.mux_words(odd, &word::shifted_left(&radicand, 1), &radicand);
        let exponent = x.exponent[1..].to_vec();
        let significand = self.root_digits(&radicand, format.significand as usize + 2);
        // The root of -0 is -0.
        let exact = Exact { zero: x.zero, negative: x.negative, exponent, significand };
        let finite = self.round(format, mode, &exact);
        self.choose(format, nan, x.infinite, Bit::FALSE, &finite)
    }

    /// The first `count` digits of the root of a number whose two highest bits are before the
    /// point, and a sticky bit.
    fn root_digits(&mut self, radicand: &[Bit], count: usize) -> Word {
        let mut source = radicand.iter().rev().copied().chain(std::iter::repeat(Bit::FALSE));
        let mut rest: Word = Vec::new();
        let mut root: Word = Vec::new();
        for _ in 0..count {
            let (high, low) = (source.next().unwrap_or(Bit::FALSE), source.next().unwrap_or(Bit::FALSE));
            rest = word::joined(&[low, high], &rest);
            // Twice the root so far, and one more digit of 1.
            let trial = word::joined(&[Bit::TRUE, Bit::FALSE], &root);
            let width = rest.len().max(trial.len());
            let (rest_wide, trial) = (word::zero_extended(&rest, width), word::zero_extended(&trial, width));
            let (difference, fits) = self.sub_checked(&rest_wide, &trial);
            rest = self.mux_words(fits, &difference, &rest_wide);
            root.insert(0, fits);
            // The rest is at most twice the root.
            rest.truncate(root.len() + 1);
        }
        let exact = self.is_zero(&rest);
        root.insert(0, !exact);
        root
    }
}
