//! Circuits for machine arithmetic.
//!
//! A word is a vector of bits, the lowest first. Constants need no special treatment: gates with
//! constant inputs are not built. Adders ripple; multipliers add shifted rows, with constants
//! recoded to have few non-zero digits; dividers restore; shifters are logarithmic.

use super::aig::{Aig, Bit};
use term::BitVec;

/// Bits, the lowest first.
pub type Word = Vec<Bit>;

pub fn constant(value: &BitVec) -> Word {
    (0..value.width()).map(|index| Bit::constant(value.bit(index))).collect()
}

/// The low bits of a number.
pub fn number(width: usize, value: u64) -> Word {
    (0..width).map(|index| Bit::constant(index < 64 && value >> index & 1 == 1)).collect()
}

/// The low bits of a number in two's complement.
pub fn signed_number(width: usize, value: i64) -> Word {
    (0..width).map(|index| Bit::constant(value >> index.min(63) & 1 == 1)).collect()
}

pub fn zeros(width: usize) -> Word {
    vec![Bit::FALSE; width]
}

pub fn inverted(word: &[Bit]) -> Word {
    word.iter().map(|&bit| !bit).collect()
}

/// `low` below `high`.
pub fn joined(low: &[Bit], high: &[Bit]) -> Word {
    [low, high].concat()
}

pub fn zero_extended(word: &[Bit], width: usize) -> Word {
    let mut result = word.to_vec();
    result.resize(width, Bit::FALSE);
    result
}

pub fn sign_extended(word: &[Bit], width: usize) -> Word {
    let mut result = word.to_vec();
    result.resize(width, word.last().copied().unwrap_or(Bit::FALSE));
    result
}

/// Moved toward the high end by a constant distance, in the same width.
pub fn shifted_left(word: &[Bit], by: usize) -> Word {
    let by = by.min(word.len());
    joined(&zeros(by), &word[..word.len() - by])
}

fn as_constant(word: &[Bit]) -> bool {
    word.iter().all(|bit| bit.is_constant())
}

impl Aig {
    pub fn input_word(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.input()).collect()
    }

    /// Sum and carry of three bits.
    fn full_adder(&mut self, a: Bit, b: Bit, carry: Bit) -> (Bit, Bit) {
        let different = self.xor(a, b);
        let sum = self.xor(different, carry);
        let out = self.mux(different, carry, a);
        (sum, out)
    }

    /// The sum in the width of the operands, and the carry out of it.
    pub fn add_with_carry(&mut self, a: &[Bit], b: &[Bit], carry: Bit) -> (Word, Bit) {
        debug_assert_eq!(a.len(), b.len());
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let (bit, out) = self.full_adder(x, y, carry);
            sum.push(bit);
            carry = out;
        }
        (sum, carry)
    }

    pub fn add_words(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        self.add_with_carry(a, b, Bit::FALSE).0
    }

    pub fn sub_words(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        self.add_with_carry(a, &inverted(b), Bit::TRUE).0
    }

    /// The difference, and whether `a` is at least `b`.
    pub fn sub_checked(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Bit) {
        self.add_with_carry(a, &inverted(b), Bit::TRUE)
    }

    pub fn neg_word(&mut self, a: &[Bit]) -> Word {
        self.sub_words(&zeros(a.len()), a)
    }

    /// The word plus one bit.
    pub fn increment(&mut self, a: &[Bit], by: Bit) -> Word {
        self.add_with_carry(a, &zeros(a.len()), by).0
    }

    pub fn neg_word_if(&mut self, condition: Bit, a: &[Bit]) -> Word {
        let flipped: Word = a.iter().map(|&bit| self.xor(bit, condition)).collect();
        self.increment(&flipped, condition)
    }

    pub fn mux_words(&mut self, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Word {
        debug_assert_eq!(then.len(), otherwise.len());
        then.iter().zip(otherwise).map(|(&a, &b)| self.mux(condition, a, b)).collect()
    }

    /// Every bit in conjunction with one bit.
    pub fn mask_word(&mut self, condition: Bit, word: &[Bit]) -> Word {
        word.iter().map(|&bit| self.and(condition, bit)).collect()
    }

    pub fn is_zero(&mut self, word: &[Bit]) -> Bit {
        self.and_all(word.iter().map(|&bit| !bit))
    }

    pub fn is_ones(&mut self, word: &[Bit]) -> Bit {
        self.and_all(word.iter().copied())
    }

    pub fn equal_words(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        debug_assert_eq!(a.len(), b.len());
        let same: Word = a.iter().zip(b).map(|(&x, &y)| self.same(x, y)).collect();
        self.and_all(same)
    }

    /// Unsigned `a < b`.
    pub fn less_unsigned(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        debug_assert_eq!(a.len(), b.len());
        let mut less = Bit::FALSE;
        for (&x, &y) in a.iter().zip(b) {
            let different = self.xor(x, y);
            less = self.mux(different, y, less);
        }
        less
    }

    /// Signed `a < b`.
    pub fn less_signed(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let flip = |word: &[Bit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.less_unsigned(&flip(a), &flip(b))
    }

    /// The product in the width of the operands.
    pub fn mul_words(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        if as_constant(a) {
            return self.mul_constant(b, a);
        }
        if as_constant(b) {
            return self.mul_constant(a, b);
        }
        // The operand with more known zeros decides about the rows.
        let known = |word: &[Bit]| word.iter().filter(|&&bit| bit == Bit::FALSE).count();
        let (rows, word) = if known(a) >= known(b) { (a, b) } else { (b, a) };
        let width = word.len();
        let mut sum = self.mask_word(rows[0], word);
        for (shift, &row) in rows.iter().enumerate().skip(1).filter(|&(_, &row)| row != Bit::FALSE) {
            let partial = self.mask_word(row, &word[..width - shift]);
            let upper = self.add_words(&sum[shift..], &partial);
            sum.truncate(shift);
            sum.extend(upper);
        }
        sum
    }

    /// Adds and subtracts shifted copies, one for each non-zero digit of the constant in canonical
    /// signed digits.
    fn mul_constant(&mut self, word: &[Bit], factor: &[Bit]) -> Word {
        let width = word.len();
        let mut sum = zeros(width);
        let mut carry = false;
        for shift in 0..width {
            let bit = factor[shift] == Bit::TRUE;
            let next = factor.get(shift + 1) == Some(&Bit::TRUE);
            let digit_is_zero = bit == carry;
            if digit_is_zero {
                continue;
            }
            // A run of ones is a subtraction at its start and an addition after its end.
            let partial = shifted_left(word, shift);
            if next {
                sum = self.sub_words(&sum, &partial);
                carry = true;
            } else {
                sum = self.add_words(&sum, &partial);
                carry = false;
            }
        }
        sum
    }

    /// Unsigned quotient and remainder; those of SMT-LIB if the divisor is 0.
    pub fn divide_words(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let width = a.len();
        let divisor = zero_extended(b, width + 1);
        let mut rest = zeros(width);
        let mut quotient = zeros(width);
        for index in (0..width).rev() {
            rest.insert(0, a[index]);
            let (difference, fits) = self.sub_checked(&rest, &divisor);
            quotient[index] = fits;
            rest = self.mux_words(fits, &difference, &rest);
            rest.truncate(width);
        }
        (quotient, rest)
    }

    /// Signed quotient and remainder, rounded toward zero.
    pub fn divide_words_signed(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (size_a, size_b) = (self.neg_word_if(sign_a, a), self.neg_word_if(sign_b, b));
        let (quotient, rest) = self.divide_words(&size_a, &size_b);
        let negative = self.xor(sign_a, sign_b);
        (self.neg_word_if(negative, &quotient), self.neg_word_if(sign_a, &rest))
    }

    /// Moved toward the high end; zeros come in.
    pub fn shift_left(&mut self, word: &[Bit], by: &[Bit]) -> Word {
        let reversed: Word = word.iter().rev().copied().collect();
        let mut result = self.shift_right(&reversed, by, Bit::FALSE);
        result.reverse();
        result
    }

    /// Moved toward the low end; copies of `fill` come in.
    pub fn shift_right(&mut self, word: &[Bit], by: &[Bit], fill: Bit) -> Word {
        let width = word.len();
        let mut result = word.to_vec();
        for (stage, &chosen) in by.iter().enumerate() {
            let distance = if stage < 32 { (1usize << stage).min(width) } else { width };
            if distance == width {
                // All of these alike leave nothing.
                let beyond = self.or_all(by[stage..].iter().copied());
                return self.mux_words(beyond, &vec![fill; width], &result);
            }
            let mut moved = result[distance..].to_vec();
            moved.resize(width, fill);
            result = self.mux_words(chosen, &moved, &result);
        }
        result
    }

    /// Like [`shift_right`](Self::shift_right) with zeros, but what is lost is kept in the lowest
    /// bit: it is 1 if any 1 was shifted into or through it.
    pub fn shift_right_sticky(&mut self, word: &[Bit], by: &[Bit]) -> Word {
        let width = word.len();
        let mut result = word.to_vec();
        for (stage, &chosen) in by.iter().enumerate() {
            let distance = if stage < 32 { (1usize << stage).min(width) } else { width };
            if distance == width {
                let beyond = self.or_all(by[stage..].iter().copied());
                let mut nothing = zeros(width);
                nothing[0] = self.or_all(result.iter().copied());
                return self.mux_words(beyond, &nothing, &result);
            }
            let mut moved = result[distance..].to_vec();
            moved.resize(width, Bit::FALSE);
            moved[0] = self.or_all(result[..=distance].iter().copied());
            result = self.mux_words(chosen, &moved, &result);
        }
        result
    }

    /// Moves the highest 1 to the highest place; also returns the distance. For the word 0 the
    /// result is 0 and the distance is of no use.
    pub fn normalise(&mut self, word: &[Bit]) -> (Word, Word) {
        let width = word.len();
        let mut result = word.to_vec();
        let stages = usize::BITS - (width.max(2) - 1).leading_zeros();
        let mut distance = zeros(stages as usize);
        for stage in (0..stages as usize).rev() {
            let step = 1 << stage;
            if step >= width {
                continue;
            }
            let empty = self.is_zero(&result[width - step..]);
            let moved = shifted_left(&result, step);
            result = self.mux_words(empty, &moved, &result);
            distance[stage] = empty;
        }
        (result, distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn as_number(word: &[Bit]) -> u64 {
        word.iter().enumerate().map(|(index, &bit)| u64::from(bit == Bit::TRUE) << index).sum()
    }

    #[test]
    fn constants_compute() {
        let mut aig = Aig::new();
        for a in 0..32u64 {
            for b in 0..32u64 {
                let (x, y) = (number(5, a), number(5, b));
                assert_eq!(as_number(&aig.add_words(&x, &y)), (a + b) % 32);
                assert_eq!(as_number(&aig.mul_words(&x, &y)), a * b % 32);
                assert_eq!(as_number(&aig.shift_left(&x, &y)), if b < 5 { (a << b) % 32 } else { 0 });
                assert_eq!(as_number(&aig.shift_right(&x, &y, Bit::FALSE)), if b < 5 { a >> b } else { 0 });
                let sticky = if b < 5 { a >> b | u64::from(a % (1 << b) != 0) } else { u64::from(a != 0) };
                assert_eq!(as_number(&aig.shift_right_sticky(&x, &y)), sticky, "{a} {b}");
                let (quotient, rest) = aig.divide_words(&x, &y);
                let expected = (a.checked_div(b).unwrap_or(31), a.checked_rem(b).unwrap_or(a));
                assert_eq!((as_number(&quotient), as_number(&rest)), expected);
            }
            if a > 0 {
                let (normal, distance) = aig.normalise(&number(5, a));
                let zeros = a.leading_zeros() as u64 - 59;
                assert_eq!((as_number(&normal), as_number(&distance)), (a << zeros, zeros));
            }
        }
        assert_eq!(aig.len(), 1);
    }
}
