//! Comparisons, on packed bits: the magnitudes of floats are ordered like integers.

use crate::bitblast::aig::{Aig, Bit};
use term::FloatFormat;

impl Aig {
    fn unordered(&mut self, format: FloatFormat, a: &[Bit], b: &[Bit]) -> Bit {
        let (nan_a, nan_b) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        self.or(nan_a, nan_b)
    }

    fn both_zero(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let (zero_a, zero_b) = (self.float_is_zero(a), self.float_is_zero(b));
        self.and(zero_a, zero_b)
    }

    /// IEEE 754 equality.
    pub(in crate::bitblast) fn float_equal(&mut self, format: FloatFormat, a: &[Bit], b: &[Bit]) -> Bit {
        let unordered = self.unordered(format, a, b);
        let zeros = self.both_zero(a, b);
        let same = self.equal_words(a, b);
        let equal = self.or(zeros, same);
        self.and(!unordered, equal)
    }

    pub(in crate::bitblast) fn float_less(&mut self, format: FloatFormat, a: &[Bit], b: &[Bit]) -> Bit {
        let unordered = self.unordered(format, a, b);
        let zeros = self.both_zero(a, b);
        let (magnitude_a, sign_a) = a.split_at(a.len() - 1);
        let (magnitude_b, sign_b) = b.split_at(b.len() - 1);
        let smaller = self.less_unsigned(magnitude_a, magnitude_b);
        let larger = self.less_unsigned(magnitude_b, magnitude_a);
        let same_sign = self.mux(sign_a[0], larger, smaller);
        let different = self.xor(sign_a[0], sign_b[0]);
        let less = self.mux(different, sign_a[0], same_sign);
        self.and_all([!unordered, !zeros, less])
    }
}
