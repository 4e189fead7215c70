//! Machine integers.
//!
//! A value of at most 64 bits is held in a `u64` in canonical form: sign-extended if its type is
//! signed, zero-extended otherwise. Then comparing is comparing, widening is nothing, and an
//! operation is the 64-bit operation followed by [`Shape::canonical`]. 128-bit values are `u128`.

use cfa::BinaryOp;

/// Width and sign of an integer of at most 64 bits. Pointers are unsigned integers here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub width: u8,
    pub signed: bool,
}

impl Shape {
    pub const INT: Shape = Shape { width: 32, signed: true };
    pub const U64: Shape = Shape { width: 64, signed: false };

    /// The low bits of a value, extended as the type says.
    #[inline(always)]
    pub fn canonical(self, value: u64) -> u64 {
        let unused = (64 - self.width) & 63;
        if self.signed { (((value << unused) as i64) >> unused) as u64 } else { (value << unused) >> unused }
    }

    /// The low bits of a value, zero-extended.
    #[inline]
    pub fn bits(self, value: u64) -> u64 {
        Shape { signed: false, ..self }.canonical(value)
    }

    /// The number that a canonical value stands for.
    #[inline]
    pub fn number(self, value: u64) -> i128 {
        if self.signed { i128::from(value as i64) } else { i128::from(value) }
    }

    pub fn bytes(self) -> usize {
        usize::from(self.width) / 8
    }
}

/// What an operation on numbers gives, if `i128` can hold it; shifts and comparisons have no place
/// here.
pub fn exact(op: BinaryOp, left: i128, right: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        _ => None,
    }
}

/// Whether a number fits an integer type of any width.
pub fn fits(number: i128, width: u32, signed: bool) -> bool {
    match (width, signed) {
        (128.., true) => true,
        (128.., false) => number >= 0,
        (_, true) => number >= -(1 << (width - 1)) && number < 1 << (width - 1),
        (_, false) => number >= 0 && number < 1 << width,
    }
}

/// An integer with its sign apart, so that every 128-bit value of either sign can be held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Magnitude {
    pub negative: bool,
    pub absolute: u128,
}

impl Magnitude {
    pub fn of(bits: u128, signed: bool) -> Self {
        let negative = signed && (bits as i128) < 0;
        Self { negative, absolute: if negative { bits.wrapping_neg() } else { bits } }
    }
}

/// Whether the exact result of an operation does not fit the type, and the result's low 128 bits.
pub fn overflows(op: BinaryOp, left: Magnitude, right: Magnitude, width: u32, signed: bool) -> (bool, u128) {
    let right =
        if op == BinaryOp::Subtract { Magnitude { negative: !right.negative, ..right } } else { right };
    let (absolute, carried) = match op {
        BinaryOp::Multiply => left.absolute.overflowing_mul(right.absolute),
        _ if left.negative == right.negative => left.absolute.overflowing_add(right.absolute),
        _ => (left.absolute.abs_diff(right.absolute), false),
    };
    let negative = match op {
        BinaryOp::Multiply => left.negative != right.negative,
        _ if left.absolute >= right.absolute => left.negative,
        _ => right.negative,
    };
    let low = if negative { absolute.wrapping_neg() } else { absolute };
    let limit = match (signed, negative) {
        (true, true) => 1u128 << (width - 1),
        (true, false) => (1u128 << (width - 1)) - 1,
        (false, true) => 0,
        (false, false) => u128::MAX >> (128 - width),
    };
    (carried || absolute > limit, low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_extends_by_sign() {
        assert_eq!(Shape { width: 8, signed: true }.canonical(0x80), (-128i64) as u64);
        assert_eq!(Shape { width: 8, signed: false }.canonical(0x180), 0x80);
        assert_eq!(Shape::U64.canonical(u64::MAX), u64::MAX);
    }

    #[test]
    fn overflow_is_exact_at_the_borders() {
        let number = |value: i128| Magnitude::of(value as u128, true);
        let add = |a, b, width, signed| overflows(BinaryOp::Add, number(a), number(b), width, signed).0;
        assert!(!add(i32::MAX.into(), 0, 32, true));
        assert!(add(i32::MAX.into(), 1, 32, true));
        assert!(!add(i32::MIN.into(), 0, 32, true));
        assert!(add(-1, 0, 32, false));
        assert!(add(i128::MAX, 1, 128, true));
        assert!(!add(i128::MIN, 0, 128, true));
        let product = overflows(BinaryOp::Multiply, number(-2), number(3), 64, true);
        assert_eq!(product, (false, (-6i128) as u128));
        let difference = overflows(BinaryOp::Subtract, number(1), number(2), 32, false);
        assert!(difference.0);
    }
}
