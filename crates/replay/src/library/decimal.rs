//! Floats as decimal text, exactly as glibc prints them.
//!
//! A float is `mantissa · 2^e`; multiplied out (by powers of two, or of five if `e` is negative) it
//! has finitely many decimal digits. They are all computed, and then rounded, halves to even.

use crate::floats::Parts;

/// `0.d₁d₂d₃… · 10^point`; no digits for zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    digits: Vec<u8>,
    point: i32,
}

/// Limbs of the numbers below hold nine digits, the least significant limb first.
const LIMB: u64 = 1_000_000_000;

fn multiply(number: &mut Vec<u32>, factor: u32) {
    let mut carry = 0;
    for limb in number.iter_mut() {
        let product = u64::from(*limb) * u64::from(factor) + carry;
        *limb = (product % LIMB) as u32;
        carry = product / LIMB;
    }
    while carry > 0 {
        number.push((carry % LIMB) as u32);
        carry /= LIMB;
    }
}

fn multiply_by_power(number: &mut Vec<u32>, base: u32, mut exponent: u32) {
    let step = if base == 2 { 29 } else { 12 };
    while exponent > 0 {
        let now = exponent.min(step);
        multiply(number, base.pow(now));
        exponent -= now;
    }
}

impl Decimal {
    pub fn new(parts: Parts) -> Self {
        let Parts { mut mantissa, mut exponent } = parts;
        if mantissa == 0 {
            return Self { digits: Vec::new(), point: 0 };
        }
        let zeros = mantissa.trailing_zeros();
        mantissa >>= zeros;
        exponent += zeros as i32;
        let mut number = Vec::new();
        while mantissa > 0 {
            number.push((mantissa % u128::from(LIMB)) as u32);
            mantissa /= u128::from(LIMB);
        }
        multiply_by_power(&mut number, if exponent < 0 { 5 } else { 2 }, exponent.unsigned_abs());
        let mut digits = Vec::with_capacity(number.len() * 9);
        for (index, limb) in number.iter().rev().enumerate() {
            let text = if index == 0 { limb.to_string() } else { format!("{limb:09}") };
            digits.extend(text.bytes().map(|digit| digit - b'0'));
        }
        let point = digits.len() as i32 + exponent.min(0);
        Self { digits, point }
    }

    fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Keeps so many digits; rounds the others away.
    fn round(&mut self, count: i64) {
        if count >= self.digits.len() as i64 {
            return;
        }
        if count < 0 {
            *self = Self { digits: Vec::new(), point: 0 };
            return;
        }
        let rest = self.digits.split_off(count as usize);
        let half = rest[0] == 5 && rest[1..].iter().all(|&digit| digit == 0);
        let odd = self.digits.last().is_some_and(|digit| digit % 2 == 1);
        if rest[0] > 5 || rest[0] == 5 && (!half || odd) {
            self.increment();
        }
        if self.digits.iter().all(|&digit| digit == 0) {
            *self = Self { digits: Vec::new(), point: 0 };
        }
    }

    fn increment(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }

    fn digit(&self, index: i64) -> char {
        let digit = usize::try_from(index).ok().and_then(|index| self.digits.get(index));
        char::from(b'0' + digit.copied().unwrap_or(0))
    }

    /// `%f`
    pub fn fixed(mut self, precision: usize, keep_point: bool) -> String {
        self.round(i64::from(self.point) + precision as i64);
        let mut text = String::new();
        if self.point <= 0 {
            text.push('0');
        }
        text.extend((0..i64::from(self.point)).map(|index| self.digit(index)));
        if precision > 0 || keep_point {
            text.push('.');
        }
        let start = i64::from(self.point);
        text.extend((start..start + precision as i64).map(|index| self.digit(index)));
        text
    }

    /// `%e`
    pub fn scientific(mut self, precision: usize, keep_point: bool, marker: char) -> String {
        self.round(precision as i64 + 1);
        let exponent = if self.is_zero() { 0 } else { self.point - 1 };
        let mut text = String::from(self.digit(0));
        if precision > 0 || keep_point {
            text.push('.');
        }
        text.extend((1..=precision as i64).map(|index| self.digit(index)));
        let sign = if exponent < 0 { '-' } else { '+' };
        text + &format!("{marker}{sign}{:02}", exponent.abs())
    }

    /// `%g`
    pub fn general(self, precision: usize, alternate: bool, marker: char) -> String {
        let precision = precision.max(1);
        let mut rounded = self.clone();
        rounded.round(precision as i64);
        let exponent = if rounded.is_zero() { 0 } else { i64::from(rounded.point) - 1 };
        let fixed = exponent >= -4 && exponent < precision as i64;
        let text = if fixed {
            self.fixed((precision as i64 - 1 - exponent) as usize, alternate)
        } else {
            self.scientific(precision - 1, alternate, marker)
        };
        if alternate { text } else { without_trailing_zeros(&text, marker) }
    }
}

fn without_trailing_zeros(text: &str, marker: char) -> String {
    let (mantissa, exponent) = match text.find(marker) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    if !mantissa.contains('.') {
        return text.into();
    }
    mantissa.trim_end_matches('0').trim_end_matches('.').to_string() + exponent
}

/// `%a`, without `0x`. The mantissa has one digit before the point and `digits` after it; that of
/// subnormal numbers is not shifted up.
pub fn hexadecimal(parts: Parts, digits: usize, precision: Option<usize>, point: bool) -> String {
    let Parts { mut mantissa, mut exponent } = parts;
    if mantissa == 0 {
        let zeros = "0".repeat(precision.unwrap_or(0));
        let dot = if point || !zeros.is_empty() { "." } else { "" };
        return format!("0{dot}{zeros}p+0");
    }
    exponent += 4 * digits as i32;
    let mut shown = digits;
    if let Some(precision) = precision
        && precision < digits
    {
        let dropped = 4 * (digits - precision) as u32;
        let rest = mantissa & ((1 << dropped) - 1);
        mantissa >>= dropped;
        let half = 1 << (dropped - 1);
        if rest > half || rest == half && mantissa & 1 == 1 {
            mantissa += 1;
        }
        shown = precision;
    }
    let head = mantissa >> (4 * shown);
    let mut tail =
        if shown == 0 { String::new() } else { format!("{:0shown$x}", mantissa & ((1 << (4 * shown)) - 1)) };
    match precision {
        None => tail.truncate(tail.trim_end_matches('0').len()),
        Some(precision) => tail.extend(std::iter::repeat_n('0', precision.saturating_sub(shown))),
    }
    let dot = if point || !tail.is_empty() { "." } else { "" };
    format!("{head:x}{dot}{tail}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats;
    use sema::types::FloatKind;

    fn double(value: f64) -> Decimal {
        Decimal::new(floats::parts(FloatKind::Double, value.to_bits().into()))
    }

    #[test]
    fn digits_are_exact_and_halves_go_to_even() {
        assert_eq!(double(0.5).fixed(0, false), "0");
        assert_eq!(double(1.5).fixed(0, false), "2");
        assert_eq!(double(2.5).fixed(0, false), "2");
        assert_eq!(double(0.1).fixed(20, false), "0.10000000000000000555");
        assert_eq!(double(9.9999).fixed(2, false), "10.00");
        assert_eq!(double(1e22).fixed(0, false), "10000000000000000000000");
        assert_eq!(double(0.0).fixed(2, false), "0.00");
        assert_eq!(double(0.001).fixed(2, false), "0.00");
        assert_eq!(double(0.006).fixed(2, false), "0.01");
    }

    #[test]
    fn same_as_the_standard_library() {
        let mut bits = 0x1234_5678_9abc_def0_u64;
        for _ in 0..300 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let value = f64::from_bits(bits).abs();
            if value.is_finite() {
                assert_eq!(double(value).fixed(6, false), format!("{value:.6}"));
                let mut expected = format!("{value:.8e}");
                let at = expected.find('e').unwrap();
                let exponent: i32 = expected[at + 1..].parse().unwrap();
                expected.truncate(at);
                let sign = if exponent < 0 { '-' } else { '+' };
                let expected = format!("{expected}e{sign}{:02}", exponent.abs());
                assert_eq!(double(value).scientific(8, false, 'e'), expected);
            }
        }
    }

    #[test]
    fn general_chooses_the_shorter_form() {
        assert_eq!(double(100_000.0).general(6, false, 'e'), "100000");
        assert_eq!(double(1_000_000.0).general(6, false, 'e'), "1e+06");
        assert_eq!(double(0.0001).general(6, false, 'e'), "0.0001");
        assert_eq!(double(0.00001).general(6, false, 'e'), "1e-05");
        assert_eq!(double(999_999.5).general(6, false, 'e'), "1e+06");
        assert_eq!(double(1.0).general(3, true, 'e'), "1.00");
        assert_eq!(double(0.0).general(6, false, 'e'), "0");
    }

    #[test]
    fn hexadecimal_floats() {
        let show = |value: f64, precision| {
            let parts = floats::parts(FloatKind::Double, value.to_bits().into());
            hexadecimal(parts, 13, precision, false)
        };
        assert_eq!(show(1.0, None), "1p+0");
        assert_eq!(show(0.1, None), "1.999999999999ap-4");
        assert_eq!(show(3.125, Some(1)), "1.9p+1");
        assert_eq!(show(0.0, None), "0p+0");
        assert_eq!(show(5e-324, None), "0.0000000000001p-1022");
        let one = floats::parse(FloatKind::LongDouble, "1").unwrap();
        assert_eq!(hexadecimal(floats::parts(FloatKind::LongDouble, one), 15, None, false), "8p-3");
    }
}
