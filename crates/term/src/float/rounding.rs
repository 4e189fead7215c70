//! From an exact number to the nearest representable ones.

use super::{Finite, FloatValue};
use crate::bitvec::BitVec;
use crate::op::RoundingMode;
use crate::sort::FloatFormat;
use dashu::base::BitTest;
use dashu::integer::UBig;
use std::cmp::Ordering;

/// `value >> by`, rounded to an integer.
pub(super) fn shift_right(value: &UBig, by: i64, mode: RoundingMode, negative: bool) -> UBig {
    let Ok(by) = usize::try_from(by) else {
        return value << usize::try_from(-by).unwrap_or(0);
    };
    if by == 0 {
        return value.clone();
    }
    let (kept, rest) = if by > value.bit_len() + 1 {
        // Far below one half: any such remainder rounds alike.
        (UBig::ZERO, if value.is_zero() { Ordering::Equal } else { Ordering::Less })
    } else {
        let (rest, kept) = value.clone().split_bits(by);
        if rest.is_zero() {
            return kept;
        }
        (kept, rest.cmp(&(UBig::ONE << (by - 1))))
    };
    if value.is_zero() {
        return kept;
    }
    let up = match mode {
        RoundingMode::NearestEven => rest == Ordering::Greater || rest == Ordering::Equal && kept.bit(0),
        RoundingMode::NearestAway => rest != Ordering::Less,
        RoundingMode::Upward => !negative,
        RoundingMode::Downward => negative,
        RoundingMode::TowardZero => false,
    };
    if up { kept + UBig::ONE } else { kept }
}

/// The exact number, rounded into the format. Its sign is the sign of zeros, too.
pub(super) fn round(format: FloatFormat, mode: RoundingMode, exact: &Finite) -> FloatValue {
    if exact.is_zero() {
        return FloatValue::zero(format, exact.negative);
    }
    let precision = i64::from(format.significand);
    let leading = exact.exponent + exact.significand.bit_len() as i64 - 1;
    // The weight of the last place.
    let mut quantum = leading.max(format.min_exponent()) - (precision - 1);
    let mut kept = shift_right(&exact.significand, quantum - exact.exponent, mode, exact.negative);
    if kept.bit_len() as i64 > precision {
        kept >>= 1;
        quantum += 1;
    }
    if (kept.bit_len() as i64) < precision {
        return pack(format, exact.negative, 0, &kept);
    }
    let exponent = quantum + precision - 1;
    if exponent > format.max_exponent() {
        return overflow(format, mode, exact.negative);
    }
    pack(format, exact.negative, exponent + format.bias(), &kept)
}

fn pack(format: FloatFormat, negative: bool, biased: i64, significand: &UBig) -> FloatValue {
    let exponent = BitVec::from_i64(format.exponent, biased);
    let fraction = BitVec::from_big(format.fraction(), significand);
    FloatValue::assemble(format, negative, &exponent, &fraction)
}

fn overflow(format: FloatFormat, mode: RoundingMode, negative: bool) -> FloatValue {
    let to_infinity = match mode {
        RoundingMode::NearestEven | RoundingMode::NearestAway => true,
        RoundingMode::Upward => !negative,
        RoundingMode::Downward => negative,
        RoundingMode::TowardZero => false,
    };
    if to_infinity { FloatValue::infinity(format, negative) } else { FloatValue::largest(format, negative) }
}
