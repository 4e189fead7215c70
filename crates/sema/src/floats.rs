//! Floating-point constants: literals are read, converted and negated in the format of their type.
//!
//! A constant is the bits of its format ([`crate::hir::FloatConstant`]); arithmetic on them (only
//! inside integer constant expressions) rounds to nearest, ties to even, as compilers do.

use crate::hir::BinaryOp;
use crate::types::{FloatKind, IntShape};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

/// Runs a generic function in the format of a kind.
macro_rules! in_format {
    ($kind:expr, $function:ident ( $($argument:expr),* )) => {
        match $kind {
            FloatKind::Half => $function::<Half>($($argument),*),
            FloatKind::Float => $function::<Single>($($argument),*),
            FloatKind::Double => $function::<Double>($($argument),*),
            FloatKind::LongDouble => $function::<X87DoubleExtended>($($argument),*),
            FloatKind::Quad => $function::<Quad>($($argument),*),
        }
    };
}

const ROUND: Round = Round::NearestTiesToEven;

/// The bits of a decimal or hexadecimal literal; its suffix is ignored.
pub fn parse(text: &str, kind: FloatKind) -> Option<u128> {
    fn read<F: Float>(text: &str) -> Option<u128> {
        F::from_str_r(text, ROUND).ok().map(|parsed| parsed.value.to_bits())
    }
    in_format!(kind, read(literal_digits(text)))
}

/// The literal without its suffix. In hexadecimal ones, letters before `p` are digits.
fn literal_digits(text: &str) -> &str {
    let is_hex = text.len() > 1 && text.as_bytes()[1].eq_ignore_ascii_case(&b'x');
    let from = if is_hex { text.find(['p', 'P']).map_or(text.len(), |at| at + 1) } else { 0 };
    let is_part = |c: char| c.is_ascii_digit() || ".+-".contains(c) || (!is_hex && "eE".contains(c));
    match text[from..].find(|c| !is_part(c)) {
        Some(at) => &text[..from + at],
        None => text,
    }
}

pub fn convert(bits: u128, from: FloatKind, to: FloatKind) -> u128 {
    fn out<F>(bits: u128, to: FloatKind) -> u128
    where
        F: FloatConvert<Half> + FloatConvert<Single> + FloatConvert<Double>,
        F: FloatConvert<X87DoubleExtended> + FloatConvert<Quad>,
    {
        fn last<F: FloatConvert<T>, T: Float>(value: F) -> u128 {
            value.convert_r(ROUND, &mut false).value.to_bits()
        }
        let value = F::from_bits(bits);
        match to {
            FloatKind::Half => last::<F, Half>(value),
            FloatKind::Float => last::<F, Single>(value),
            FloatKind::Double => last::<F, Double>(value),
            FloatKind::LongDouble => last::<F, X87DoubleExtended>(value),
            FloatKind::Quad => last::<F, Quad>(value),
        }
    }
    if from == to { bits } else { in_format!(from, out(bits, to)) }
}

pub fn from_int(value: i128, kind: FloatKind) -> u128 {
    fn make<F: Float>(value: i128) -> u128 {
        F::from_i128_r(value, ROUND).value.to_bits()
    }
    in_format!(kind, make(value))
}

/// Towards zero; `None` where C leaves the conversion undefined.
pub fn to_int(bits: u128, kind: FloatKind, shape: IntShape) -> Option<i128> {
    fn make<F: Float>(bits: u128, shape: IntShape) -> Option<i128> {
        let (width, mut exact) = (shape.width as usize, false);
        let value = F::from_bits(bits);
        if shape.signed {
            let result = value.to_i128_r(width, Round::TowardZero, &mut exact);
            (!result.status.contains(Status::INVALID_OP)).then_some(result.value)
        } else {
            let result = value.to_u128_r(width, Round::TowardZero, &mut exact);
            let valid = !result.status.contains(Status::INVALID_OP);
            i128::try_from(result.value).ok().filter(|_| valid)
        }
    }
    in_format!(kind, make(bits, shape))
}

pub fn negate(bits: u128, kind: FloatKind) -> u128 {
    fn make<F: Float>(bits: u128) -> u128 {
        (-F::from_bits(bits)).to_bits()
    }
    in_format!(kind, make(bits))
}

pub fn is_zero(bits: u128, kind: FloatKind) -> bool {
    fn test<F: Float>(bits: u128) -> bool {
        F::from_bits(bits).is_zero()
    }
    in_format!(kind, test(bits))
}

pub fn infinity(kind: FloatKind) -> u128 {
    fn make<F: Float>() -> u128 {
        F::INFINITY.to_bits()
    }
    in_format!(kind, make())
}

pub fn nan(kind: FloatKind) -> u128 {
    fn make<F: Float>() -> u128 {
        F::NAN.to_bits()
    }
    in_format!(kind, make())
}

/// `None` for operators that floats do not have.
pub fn arithmetic(op: BinaryOp, left: u128, right: u128, kind: FloatKind) -> Option<u128> {
    fn make<F: Float>(op: BinaryOp, left: u128, right: u128) -> Option<u128> {
        let (left, right) = (F::from_bits(left), F::from_bits(right));
        let result = match op {
            BinaryOp::Add => left.add_r(right, ROUND),
            BinaryOp::Subtract => left.sub_r(right, ROUND),
            BinaryOp::Multiply => left.mul_r(right, ROUND),
            BinaryOp::Divide => left.div_r(right, ROUND),
            _ => return None,
        };
        Some(result.value.to_bits())
    }
    in_format!(kind, make(op, left, right))
}

/// `None` if unordered.
pub fn compare(left: u128, right: u128, kind: FloatKind) -> Option<Ordering> {
    fn make<F: Float>(left: u128, right: u128) -> Option<Ordering> {
        F::from_bits(left).partial_cmp(&F::from_bits(right))
    }
    in_format!(kind, make(left, right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_in_their_own_precision() {
        let single = |text| parse(text, FloatKind::Float);
        let double = |text| parse(text, FloatKind::Double);
        assert_eq!(single("0.1f"), Some(u128::from(0.1f32.to_bits())));
        assert_eq!(double("0.1"), Some(u128::from(0.1f64.to_bits())));
        assert_eq!(double("0x1.8p3"), Some(u128::from(12f64.to_bits())));
        assert_eq!(single("0xfp0f"), Some(u128::from(15f32.to_bits())));
        assert_eq!(double("1."), Some(u128::from(1f64.to_bits())));
        assert_eq!(double(".5e1L"), Some(u128::from(5f64.to_bits())));
        assert_eq!(double("1e400"), Some(infinity(FloatKind::Double)));
        assert_eq!(parse("1.0L", FloatKind::LongDouble), Some(0x3fff_8000_0000_0000_0000));
        assert_eq!(parse("1.0q", FloatKind::Quad), Some(0x3fff << 112));
    }

    #[test]
    fn conversions_round_and_know_their_limits() {
        let byte = IntShape { width: 8, signed: true };
        let third = parse("3.99", FloatKind::Double).unwrap();
        assert_eq!(to_int(third, FloatKind::Double, byte), Some(3));
        let large = from_int(300, FloatKind::Double);
        assert_eq!(to_int(large, FloatKind::Double, byte), None);
        let narrowed = convert(parse("0.1", FloatKind::Double).unwrap(), FloatKind::Double, FloatKind::Float);
        assert_eq!(narrowed, u128::from((0.1f64 as f32).to_bits()));
        assert_eq!(negate(0, FloatKind::Float), 1 << 31);
    }
}
