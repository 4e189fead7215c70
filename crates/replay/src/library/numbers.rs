//! Numbers from text, absolute values, and quotients with remainder.

use super::missing::RANGE;
use super::{Arguments, narrow};
use crate::ending::ViolationKind;
use crate::floats;
use crate::integers::Shape;
use crate::machine::{Machine, Result, Returned};
use cfa::library::Library;
use sema::types::FloatKind;

impl Machine<'_> {
    pub(super) fn numbers(&mut self, library: Library, arguments: Arguments<'_>) -> Result<Option<Returned>> {
        let long = Shape { width: 8 * self.program.types.pointer_size() as u8, signed: true };
        let long_long = Shape { width: 64, signed: true };
        let unsigned = |shape| Shape { signed: false, ..shape };
        match library {
            Library::Strtol => self.strto(arguments, long),
            Library::Strtoul => self.strto(arguments, unsigned(long)),
            Library::Strtoll => self.strto(arguments, long_long),
            Library::Strtoull => self.strto(arguments, unsigned(long_long)),
            Library::Atoi => self.ato(arguments, long, Shape::INT),
            Library::Atol => self.ato(arguments, long, long),
            Library::Atoll => self.ato(arguments, long_long, long_long),
            Library::Strtod => {
                let text = self.string(arguments.number(0))?;
                let (bits, used) = scan_float(&text);
                let value = f64::from_bits(bits);
                let named = text.iter().any(|byte| matches!(byte, b'n' | b'N'));
                if value.is_infinite() && !named || value.is_subnormal() {
                    self.set_errno(RANGE);
                }
                self.store_end(arguments, used)?;
                narrow(bits)
            }
            Library::Atof => {
                let text = self.string(arguments.number(0))?;
                narrow(scan_float(&text).0)
            }
            Library::Abs => self.absolute(arguments, Shape::INT),
            Library::Labs => self.absolute(arguments, long),
            Library::Llabs => self.absolute(arguments, long_long),
            Library::Div => self.quotient(arguments, Shape::INT),
            Library::Ldiv => self.quotient(arguments, long),
            Library::Lldiv => self.quotient(arguments, long_long),
            _ => Ok(None),
        }
    }

    fn absolute(&self, arguments: Arguments<'_>, shape: Shape) -> Result<Option<Returned>> {
        let value = shape.canonical(arguments.number(0)) as i64;
        let absolute = shape.canonical(value.wrapping_abs() as u64);
        if (absolute as i64) < 0 && self.options.checks.signed_overflow {
            let detail = format!("the absolute value of {value} does not fit {} bits", shape.width);
            return Err(self.violation(ViolationKind::SignedOverflow, detail));
        }
        narrow(absolute)
    }

    /// A record of quotient and remainder, which are of one type.
    fn quotient(&self, arguments: Arguments<'_>, shape: Shape) -> Result<Option<Returned>> {
        let [number, divisor] = [0, 1].map(|index| shape.canonical(arguments.number(index)) as i64);
        if divisor == 0 {
            return Err(self.violation(ViolationKind::DivisionByZero, format!("{number} by 0")));
        }
        let quotient = i128::from(number) / i128::from(divisor);
        if i128::from(shape.canonical(quotient as u64) as i64) != quotient {
            let detail = format!("{number} / {divisor} does not fit {} bits", shape.width);
            return Err(self.violation(ViolationKind::SignedOverflow, detail));
        }
        let size = usize::from(shape.width / 8);
        let fields = [quotient as i64, number.wrapping_rem(divisor)];
        let bytes = fields.iter().flat_map(|field| field.to_le_bytes()[..size].to_vec()).collect();
        Ok(Some(Returned::Bytes(bytes)))
    }

    fn strto(&mut self, arguments: Arguments<'_>, shape: Shape) -> Result<Option<Returned>> {
        let text = self.string(arguments.number(0))?;
        let (value, used) = scan_integer(&text, arguments.int(2), shape);
        // Exact in 128 bits, or clamped there too.
        let exact = scan_wide(&text, arguments.int(2));
        if exact.is_some_and(|(negative, exact)| out_of_range(negative, exact, shape)) {
            self.set_errno(RANGE);
        }
        self.store_end(arguments, used)?;
        narrow(value)
    }

    /// Like `strtol` in base 10, cut to the result's type.
    fn ato(&mut self, arguments: Arguments<'_>, scanned: Shape, result: Shape) -> Result<Option<Returned>> {
        let text = self.string(arguments.number(0))?;
        narrow(result.canonical(scan_integer(&text, 10, scanned).0))
    }

    /// Stores where the number ended, if the caller wants to know.
    fn store_end(&mut self, arguments: Arguments<'_>, used: usize) -> Result<()> {
        let target = arguments.number(1) & self.address_mask;
        if target == 0 {
            return Ok(());
        }
        let end = arguments.number(0).wrapping_add(used as u64) & self.address_mask;
        let size = self.program.types.pointer_size();
        let at = self.stretch(target, size, true)?;
        self.memory.store(at.object, at.offset, at.size, end);
        Ok(())
    }
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Sign, and how many bytes were white space or sign.
fn scan_sign(text: &[u8]) -> (bool, usize) {
    let spaces = text.iter().take_while(|byte| is_space(byte)).count();
    match text.get(spaces) {
        Some(b'-') => (true, spaces + 1),
        Some(b'+') => (false, spaces + 1),
        _ => (false, spaces),
    }
}

/// The number at the start of a text, clamped to the type, and its length; 0 and 0 if there is none.
fn scan_integer(text: &[u8], base: i32, shape: Shape) -> (u64, usize) {
    match scan_digits(text, base) {
        Some((negative, value, length)) => (clamp(negative, value, shape), length),
        None => (0, 0),
    }
}

fn scan_wide(text: &[u8], base: i32) -> Option<(bool, u128)> {
    scan_digits(text, base).map(|(negative, value, _)| (negative, value))
}

/// Whether a number had to be clamped.
fn out_of_range(negative: bool, value: u128, shape: Shape) -> bool {
    match (shape.signed, negative) {
        (false, _) => value > shape.canonical(u64::MAX).into(),
        (true, true) => value > 1 << (shape.width - 1),
        (true, false) => value >= 1 << (shape.width - 1),
    }
}

/// Sign, absolute value and length of the number at the start of a text.
fn scan_digits(text: &[u8], base: i32) -> Option<(bool, u128, usize)> {
    let (negative, start) = scan_sign(text);
    let rest = &text[start..];
    let hexadecimal = matches!(rest, [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit());
    let (base, prefix) = match base {
        0 | 16 if hexadecimal => (16, 2),
        0 if rest.first() == Some(&b'0') => (8, 0),
        0 => (10, 0),
        2..=36 => (base as u32, 0),
        _ => return None,
    };
    let digits = rest[prefix..].iter().map_while(|&byte| char::from(byte).to_digit(base));
    let (mut value, mut count) = (0u128, 0);
    for digit in digits {
        value = value.saturating_mul(base.into()).saturating_add(digit.into());
        count += 1;
    }
    (count > 0).then_some((negative, value, start + prefix + count))
}

fn clamp(negative: bool, value: u128, shape: Shape) -> u64 {
    if !shape.signed {
        let most = Shape { signed: false, ..shape }.canonical(u64::MAX);
        let value = if value > most.into() { return most } else { value as u64 };
        return shape.canonical(if negative { value.wrapping_neg() } else { value });
    }
    let limit = 1u128 << (shape.width - 1);
    let signed = match negative {
        true => -(value.min(limit) as i128),
        false => value.min(limit - 1) as i128,
    };
    shape.canonical(signed as u64)
}

/// The double at the start of a text, and its length.
fn scan_float(text: &[u8]) -> (u64, usize) {
    let (negative, start) = scan_sign(text);
    let rest = &text[start..];
    let lower: String = rest.iter().map(|&byte| char::from(byte.to_ascii_lowercase())).collect();
    let length = ["infinity", "inf", "nan"].into_iter().find(|word| lower.starts_with(word)).map(str::len);
    let length = length.unwrap_or_else(|| float_length(lower.as_bytes()));
    match floats::parse(FloatKind::Double, lower.get(..length).unwrap_or("")) {
        Some(bits) => (bits as u64 | (u64::from(negative) << 63), start + length),
        None => (0, 0),
    }
}

/// How much of a text in lower case is a number.
fn float_length(text: &[u8]) -> usize {
    let hexadecimal = matches!(text, [b'0', b'x', d, ..] if d.is_ascii_hexdigit())
        || matches!(text, [b'0', b'x', b'.', d, ..] if d.is_ascii_hexdigit());
    let (start, marker) = if hexadecimal { (2, b'p') } else { (0, b'e') };
    let is_digit = |byte: &u8| if hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let run = |from: usize| text[from..].iter().take_while(|byte| is_digit(byte)).count();
    let mut end = start + run(start);
    let mut digits = end - start;
    if text.get(end) == Some(&b'.') {
        let fraction = run(end + 1);
        digits += fraction;
        end += 1 + fraction;
    }
    if digits == 0 {
        return 0;
    }
    if text.get(end) == Some(&marker) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = text[end + 1 + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Shape = Shape { width: 64, signed: true };

    #[test]
    fn integers_from_text() {
        assert_eq!(scan_integer(b"  -12x", 10, LONG), ((-12i64) as u64, 5));
        assert_eq!(scan_integer(b"0x1fg", 0, LONG), (31, 4));
        assert_eq!(scan_integer(b"0xg", 16, LONG), (0, 1));
        assert_eq!(scan_integer(b"017", 0, LONG), (15, 3));
        assert_eq!(scan_integer(b"zz", 36, LONG), (35 * 36 + 35, 2));
        assert_eq!(scan_integer(b"99999999999999999999", 10, LONG).0, i64::MAX as u64);
        assert_eq!(scan_integer(b"-1", 10, Shape::U64).0, u64::MAX);
        assert_eq!(scan_integer(b"x", 10, LONG), (0, 0));
    }

    #[test]
    fn floats_from_text() {
        let scan = |text: &str| {
            let (bits, used) = scan_float(text.as_bytes());
            (f64::from_bits(bits), used)
        };
        assert_eq!(scan(" 1.5e3abc"), (1500.0, 6));
        assert_eq!(scan("-.25"), (-0.25, 4));
        assert_eq!(scan("1e+"), (1.0, 1));
        assert_eq!(scan("0x1.8p1"), (3.0, 7));
        assert_eq!(scan("inFinity!"), (f64::INFINITY, 8));
        assert_eq!(scan("."), (0.0, 0));
    }
}
