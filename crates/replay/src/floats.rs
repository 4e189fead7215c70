//! IEEE 754 arithmetic on the bits of values.
//!
//! As long as the program rounds to nearest, `float` and `double` use the machine's own arithmetic, which is exact and also gives x86's sign
//! and payload of NaNs; the other formats go through `rustc_apfloat`. There is no excess precision:
//! every operation is rounded to its type (`FLT_EVAL_METHOD` 0), on ILP32 too, where gcc without
//! `-msse2 -mfpmath=sse` would keep x87 registers.
//!
//! Converting a value that the integer type cannot hold is undefined in C; here it gives what the
//! instructions that gcc chooses give: the "integer indefinite" value of `cvttsd2si`.

use cfa::BinaryOp;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use sema::types::FloatKind;
use std::cmp::Ordering;

/// Runs a generic body with `$float` bound to the `rustc_apfloat` type of a format.
macro_rules! with_format {
    ($format:expr, $float:ident => $body:expr) => {
        match $format {
            FloatKind::Half => {
                type $float = Half;
                $body
            }
            FloatKind::Float => {
                type $float = Single;
                $body
            }
            FloatKind::Double => {
                type $float = Double;
                $body
            }
            FloatKind::LongDouble => {
                type $float = X87DoubleExtended;
                $body
            }
            FloatKind::Quad => {
                type $float = Quad;
                $body
            }
        }
    };
}

/// Bytes that hold the value in memory: the padding of `long double` is never written.
pub fn value_bytes(format: FloatKind) -> usize {
    match format {
        FloatKind::Half => 2,
        FloatKind::Float => 4,
        FloatKind::Double => 8,
        FloatKind::LongDouble => 10,
        FloatKind::Quad => 16,
    }
}

fn sign_bit(format: FloatKind) -> u128 {
    1 << (8 * value_bytes(format) - 1)
}

pub fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

pub fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

pub fn binary(op: BinaryOp, format: FloatKind, left: u128, right: u128, rounding: Rounding) -> u128 {
    match format {
        FloatKind::Float if rounding == Rounding::Even => {
            u128::from(binary_f32(op, left as u64, right as u64))
        }
        FloatKind::Double if rounding == Rounding::Even => {
            u128::from(binary_f64(op, left as u64, right as u64))
        }
        _ => with_format!(format, F => soft_binary::<F>(op, format, left, right, rounding.into())),
    }
}

#[inline]
pub fn binary_f64(op: BinaryOp, left: u64, right: u64) -> u64 {
    let (left, right) = (f64_of(left), f64_of(right));
    let value = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Subtract => left - right,
        BinaryOp::Multiply => left * right,
        _ => left / right,
    };
    value.to_bits()
}

#[inline]
pub fn binary_f32(op: BinaryOp, left: u64, right: u64) -> u64 {
    let (left, right) = (f32_of(left), f32_of(right));
    let value = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Subtract => left - right,
        BinaryOp::Multiply => left * right,
        _ => left / right,
    };
    u64::from(value.to_bits())
}

fn soft_binary<F: Float>(op: BinaryOp, format: FloatKind, left: u128, right: u128, round: Round) -> u128 {
    let (left, right) = (F::from_bits(left), F::from_bits(right));
    let value = match op {
        BinaryOp::Add => left.add_r(right, round),
        BinaryOp::Subtract => left.sub_r(right, round),
        BinaryOp::Multiply => left.mul_r(right, round),
        _ => left.div_r(right, round),
    };
    machine_nan(value.value, left.is_nan() || right.is_nan(), format)
}

/// x86 makes NaNs out of nothing with the sign set.
fn machine_nan<F: Float>(value: F, from_nan: bool, format: FloatKind) -> u128 {
    let made = value.is_nan() && !from_nan;
    value.to_bits() | if made { sign_bit(format) } else { 0 }
}

pub fn negate(format: FloatKind, bits: u128) -> u128 {
    bits ^ sign_bit(format)
}

pub fn absolute(format: FloatKind, bits: u128) -> u128 {
    bits & !sign_bit(format)
}

pub fn is_negative(format: FloatKind, bits: u128) -> bool {
    bits & sign_bit(format) != 0
}

pub fn copy_sign(format: FloatKind, magnitude: u128, sign: u128) -> u128 {
    absolute(format, magnitude) | (sign & sign_bit(format))
}

/// `None` if one of them is NaN.
pub fn compare(format: FloatKind, left: u128, right: u128) -> Option<Ordering> {
    match format {
        FloatKind::Float => f32_of(left as u64).partial_cmp(&f32_of(right as u64)),
        FloatKind::Double => f64_of(left as u64).partial_cmp(&f64_of(right as u64)),
        _ => with_format!(format, F => F::from_bits(left).partial_cmp(&F::from_bits(right))),
    }
}

/// Kinds of values, as `fpclassify` tells them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Nan,
    Infinite,
    Zero,
    Subnormal,
    Normal,
}

pub fn class(format: FloatKind, bits: u128) -> Class {
    with_format!(format, F => {
        let value = F::from_bits(bits);
        match () {
            () if value.is_nan() => Class::Nan,
            () if value.is_infinite() => Class::Infinite,
            () if value.is_zero() => Class::Zero,
            () if value.is_denormal() => Class::Subnormal,
            () => Class::Normal,
        }
    })
}

pub fn is_nan(format: FloatKind, bits: u128) -> bool {
    class(format, bits) == Class::Nan
}

/// Other than zero of either sign.
pub fn is_true(format: FloatKind, bits: u128) -> bool {
    absolute(format, bits) != 0
}

pub fn convert(from: FloatKind, to: FloatKind, bits: u128, rounding: Rounding) -> u128 {
    match (from, to) {
        (FloatKind::Float, FloatKind::Double) => u128::from(f64::from(f32_of(bits as u64)).to_bits()),
        (FloatKind::Double, FloatKind::Float) if rounding == Rounding::Even => {
            u128::from((f64_of(bits as u64) as f32).to_bits())
        }
        _ if from == to => bits,
        _ => with_format!(from, F => with_format!(to, T => soft_convert::<F, T>(bits, rounding.into()))),
    }
}

fn soft_convert<F: Float + FloatConvert<T>, T: Float>(bits: u128, round: Round) -> u128 {
    let mut loses_info = false;
    F::from_bits(bits).convert_r(round, &mut loses_info).value.to_bits()
}

/// The value of an integer of 128 bits.
pub fn from_integer(format: FloatKind, value: u128, signed: bool, rounding: Rounding) -> u128 {
    match (format, signed) {
        _ if rounding != Rounding::Even => {}
        (FloatKind::Double, true) => return u128::from((value as i128 as f64).to_bits()),
        (FloatKind::Double, false) => return u128::from((value as f64).to_bits()),
        (FloatKind::Float, true) => return u128::from((value as i128 as f32).to_bits()),
        (FloatKind::Float, false) => return u128::from((value as f32).to_bits()),
        _ => {}
    }
    let round = rounding.into();
    with_format!(format, F => {
        let value = if signed { F::from_i128_r(value as i128, round) } else { F::from_u128_r(value, round) };
        value.value.to_bits()
    })
}

/// Towards zero, into an integer type; the result's bits are not yet canonical.
pub fn to_integer(format: FloatKind, bits: u128, width: u32, signed: bool) -> u128 {
    match (width, signed) {
        (128.., true) => with_format!(format, F => F::from_bits(bits).to_i128(128).value as u128),
        (128.., false) => with_format!(format, F => F::from_bits(bits).to_u128(128).value),
        (64, true) => to_signed(format, bits, 64),
        (64, false) => to_unsigned_64(format, bits),
        (32, false) => to_signed(format, bits, 64),
        _ => to_signed(format, bits, 32),
    }
}

/// `cvttsd2si`: what does not fit becomes the smallest number.
fn to_signed(format: FloatKind, bits: u128, width: usize) -> u128 {
    let (status, value) = with_format!(format, F => {
        let result = F::from_bits(bits).to_i128(width);
        (result.status, result.value)
    });
    if status.contains(Status::INVALID_OP) { u128::MAX << (width - 1) } else { value as u128 }
}

/// gcc subtracts 2⁶³ first where the value is not below it. (To its instruction, what is not a number is below.)
fn to_unsigned_64(format: FloatKind, bits: u128) -> u128 {
    let border = from_integer(format, 1 << 63, false, Rounding::Even);
    if matches!(compare(format, bits, border), None | Some(Ordering::Less)) {
        return to_signed(format, bits, 64);
    }
    let rest = binary(BinaryOp::Subtract, format, bits, border, Rounding::Even);
    to_signed(format, rest, 64) ^ (1 << 63)
}

/// Which of the neighbours of an exact result is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    Down,
    Up,
    Truncate,
    /// Halves away from zero.
    Nearest,
    /// Halves to even.
    Even,
}

impl Rounding {
    /// The numbers that `fesetround` takes on x86.
    const MODES: [(i32, Self); 4] =
        [(0, Self::Even), (0x400, Self::Down), (0x800, Self::Up), (0xc00, Self::Truncate)];

    pub fn of_mode(number: i32) -> Option<Self> {
        Self::MODES.into_iter().find(|&(mode, _)| mode == number).map(|(_, rounding)| rounding)
    }

    pub fn mode(self) -> i32 {
        Self::MODES.into_iter().find(|&(_, rounding)| rounding == self).map_or(0, |(mode, _)| mode)
    }
}

impl From<Rounding> for Round {
    fn from(rounding: Rounding) -> Round {
        match rounding {
            Rounding::Down => Round::TowardNegative,
            Rounding::Up => Round::TowardPositive,
            Rounding::Truncate => Round::TowardZero,
            Rounding::Nearest => Round::NearestTiesToAway,
            Rounding::Even => Round::NearestTiesToEven,
        }
    }
}

pub fn round_to_integer(format: FloatKind, bits: u128, rounding: Rounding) -> u128 {
    let round = rounding.into();
    with_format!(format, F => F::from_bits(bits).round_to_integral(round).value.to_bits())
}

/// `fmod`
pub fn remainder_truncated(format: FloatKind, left: u128, right: u128) -> u128 {
    with_format!(format, F => {
        let (left, right) = (F::from_bits(left), F::from_bits(right));
        machine_nan(left.c_fmod(right).value, left.is_nan() || right.is_nan(), format)
    })
}

/// `remainder`
pub fn remainder_nearest(format: FloatKind, left: u128, right: u128) -> u128 {
    with_format!(format, F => {
        let (left, right) = (F::from_bits(left), F::from_bits(right));
        machine_nan(left.ieee_rem(right).value, left.is_nan() || right.is_nan(), format)
    })
}

pub fn square_root(format: FloatKind, bits: u128, rounding: Rounding) -> u128 {
    let root = nearest_root(format, bits);
    let is_number = matches!(class(format, root), Class::Normal | Class::Subnormal);
    if rounding == Rounding::Even || !is_number {
        return root;
    }
    with_format!(format, F => {
        let (square, root) = (F::from_bits(bits), F::from_bits(root));
        let excess = |round| root.mul_add_r(root, -square, round).value;
        let is_above = excess(Round::TowardPositive) > F::ZERO;
        let is_below = excess(Round::TowardNegative) < F::ZERO;
        let root = match rounding {
            Rounding::Down | Rounding::Truncate if is_above => root.next_down().value,
            Rounding::Up if is_below => root.next_up().value,
            _ => root,
        };
        root.to_bits()
    })
}

fn nearest_root(format: FloatKind, bits: u128) -> u128 {
    match format {
        FloatKind::Float => u128::from(f32_of(bits as u64).sqrt().to_bits()),
        FloatKind::Double => u128::from(f64_of(bits as u64).sqrt().to_bits()),
        FloatKind::LongDouble => extended_square_root(bits),
        // There is no library function for these.
        FloatKind::Half | FloatKind::Quad => {
            let root = extended_square_root(convert(format, FloatKind::LongDouble, bits, Rounding::Even));
            convert(FloatKind::LongDouble, format, root, Rounding::Even)
        }
    }
}

/// The root of the mantissa, scaled to 128 bits, has 64 bits: those of the result.
fn extended_square_root(bits: u128) -> u128 {
    let format = FloatKind::LongDouble;
    match class(format, bits) {
        Class::Nan | Class::Zero => return bits,
        _ if is_negative(format, bits) => return (0xffff << 64) | (3 << 62),
        Class::Infinite => return bits,
        Class::Subnormal | Class::Normal => {}
    }
    let Parts { mantissa, exponent } = parts(format, bits);
    let mut shift = mantissa.leading_zeros() as i32;
    if (exponent - shift) % 2 != 0 {
        shift -= 1;
    }
    let scaled = mantissa << shift;
    let root = scaled.isqrt();
    // Halves cannot occur: the root of a number of 128 bits is no number of 65.
    let rounded = if scaled - root * root > root { root + 1 } else { root };
    let half = (exponent - shift) / 2;
    scale(from_integer(format, rounded, false, Rounding::Even), half)
}

fn scale(bits: u128, exponent: i32) -> u128 {
    X87DoubleExtended::from_bits(bits).scalbn(exponent).to_bits()
}

/// `mantissa · 2^exponent`, the sign aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    pub mantissa: u128,
    pub exponent: i32,
}

/// The absolute value of a finite number.
pub fn parts(format: FloatKind, bits: u128) -> Parts {
    let (fraction_bits, exponent_bits, explicit_one) = match format {
        FloatKind::Half => (10, 5, false),
        FloatKind::Float => (23, 8, false),
        FloatKind::Double => (52, 11, false),
        FloatKind::LongDouble => (63, 15, true),
        FloatKind::Quad => (112, 15, false),
    };
    let stored = fraction_bits + u32::from(explicit_one);
    let field = (bits >> stored) as i32 & ((1 << exponent_bits) - 1);
    let mut mantissa = bits & ((1 << stored) - 1);
    if field != 0 && !explicit_one {
        mantissa |= 1 << fraction_bits;
    }
    let bias = (1 << (exponent_bits - 1)) - 1;
    Parts { mantissa, exponent: field.max(1) - bias - fraction_bits as i32 }
}

/// The value of a decimal or hexadecimal number, `inf` or `nan`.
pub fn parse(format: FloatKind, text: &str) -> Option<u128> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let bits = match rest.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => with_format!(format, F => F::INFINITY.to_bits()),
        "nan" => with_format!(format, F => F::NAN.to_bits()),
        lower => parse_number(format, lower)?,
    };
    Some(if negative { negate(format, bits) } else { bits })
}

fn parse_number(format: FloatKind, text: &str) -> Option<u128> {
    let hexadecimal = text.starts_with("0x");
    // The library panics on some malformed texts; let only well-formed ones through.
    let digits = |c: char| if hexadecimal { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let body = if hexadecimal { &text[2..] } else { text };
    let marker = if hexadecimal { 'p' } else { 'e' };
    let (mantissa, exponent) = body.split_once(marker).unwrap_or((body, "0"));
    let whole = mantissa.replacen('.', "", 1);
    let exponent: i64 = exponent.parse().ok()?;
    if whole.is_empty() || !whole.chars().all(digits) {
        return None;
    }
    let exponent = exponent.clamp(-40_000, 40_000);
    let prefix = if hexadecimal { "0x" } else { "" };
    let text = format!("{prefix}{mantissa}{marker}{exponent}");
    with_format!(format, F => {
        F::from_str_r(&text, Round::NearestTiesToEven).ok().map(|parsed| parsed.value.to_bits())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENDED: FloatKind = FloatKind::LongDouble;

    fn extended(text: &str) -> u128 {
        parse(EXTENDED, text).unwrap()
    }

    #[test]
    fn out_of_range_conversions_are_indefinite() {
        let double = |value: f64| u128::from(value.to_bits());
        let kind = FloatKind::Double;
        assert_eq!(to_integer(kind, double(1e10), 32, true) as u32, 0x8000_0000);
        assert_eq!(to_integer(kind, double(f64::NAN), 64, true) as u64, 1 << 63);
        assert_eq!(to_integer(kind, double(4294967295.0), 32, false) as u32, u32::MAX);
        assert_eq!(to_integer(kind, double(-1.5), 32, false) as u32, u32::MAX);
        assert_eq!(to_integer(kind, double(1.5e19), 64, false) as u64, 15_000_000_000_000_000_000);
        assert_eq!(to_integer(kind, double(-7.9), 8, true) as u8, (-7i8) as u8);
    }

    #[test]
    fn extended_arithmetic_keeps_64_bits() {
        let third = binary(BinaryOp::Divide, EXTENDED, extended("1"), extended("3"), Rounding::Even);
        assert_eq!(third, (0x3ffd << 64) | 0xaaaa_aaaa_aaaa_aaab);
        assert_eq!(
            convert(EXTENDED, FloatKind::Double, third, Rounding::Even) as u64,
            (1.0f64 / 3.0).to_bits()
        );
    }

    #[test]
    fn extended_roots() {
        for (square, root) in [("4", "2"), ("0.25", "0.5"), ("1e4000", "1e2000"), ("9", "3"), ("81", "9")] {
            assert_eq!(square_root(EXTENDED, extended(square), Rounding::Even), extended(root), "{square}");
        }
        let two = square_root(EXTENDED, extended("2"), Rounding::Even);
        assert_eq!(two, (0x3fff << 64) | 0xb504_f333_f9de_6484);
    }

    #[test]
    fn nan_from_nothing_is_negative() {
        let zero = u128::from(0f64.to_bits());
        let made = binary(BinaryOp::Divide, FloatKind::Double, zero, zero, Rounding::Even);
        assert!(is_nan(FloatKind::Double, made));
        let made = binary(BinaryOp::Divide, EXTENDED, 0, 0, Rounding::Even);
        assert!(is_negative(EXTENDED, made));
    }

    #[test]
    fn malformed_numbers_are_refused() {
        for text in ["", ".", "e5", "1e", "0x", "1.2.3", "abc", "1e5x"] {
            assert_eq!(parse(FloatKind::Double, text), None, "{text}");
        }
        assert_eq!(parse(FloatKind::Double, "-0x1.8p1"), Some(u128::from((-3.0f64).to_bits())));
    }
}
