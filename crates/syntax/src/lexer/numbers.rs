//! The values of integer and floating constants (C11 6.4.4.1 and 6.4.4.2, with the GNU suffixes).

use crate::ast::{FloatLiteral, FloatSize, IntLiteral};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Int(IntLiteral),
    Float(FloatLiteral),
}

/// Reads a number, given without line splices.
pub(crate) fn read_number(text: &[u8]) -> Result<Number, String> {
    let (radix, digits) = match text {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        [b'0', b'b' | b'B', rest @ ..] => (2, rest),
        _ => (10, text),
    };
    if radix != 2 && is_float(digits, radix) {
        return read_float(digits, radix).map(Number::Float);
    }
    // An octal constant keeps its leading zero: it is a digit as good as any.
    let octal = radix == 10 && digits.len() > 1 && digits[0] == b'0';
    read_integer(digits, if octal { 8 } else { radix }).map(Number::Int)
}

fn is_float(digits: &[u8], radix: u32) -> bool {
    digits.iter().any(|byte| match byte {
        b'.' => true,
        b'e' | b'E' => radix == 10,
        b'p' | b'P' => radix == 16,
        _ => false,
    })
}

fn read_integer(text: &[u8], radix: u32) -> Result<IntLiteral, String> {
    let mut value = Some(0u64);
    let mut length = 0;
    // Octal digits are checked below: `08` is a bad digit, not a suffix.
    let digit_radix = radix.max(10);
    while let Some(digit) = text.get(length).and_then(|&b| (b as char).to_digit(digit_radix)) {
        if digit >= radix {
            let kind = if radix == 8 { "an octal" } else { "a binary" };
            return Err(format!("digit '{digit}' in {kind} constant"));
        }
        value = value.and_then(|v| v.checked_mul(u64::from(radix))?.checked_add(u64::from(digit)));
        length += 1;
    }
    if length == 0 {
        return Err("a number without digits".into());
    }
    let Some(value) = value else {
        return Err("integer constant does not fit into 64 bits".into());
    };
    let (unsigned, longs) = integer_suffix(&text[length..])?;
    Ok(IntLiteral { value, unsigned, longs, decimal: radix == 10 })
}

/// Whether there is a `u`, and how many `l`.
fn integer_suffix(suffix: &[u8]) -> Result<(bool, u8), String> {
    match suffix {
        b"" => Ok((false, 0)),
        b"u" | b"U" => Ok((true, 0)),
        b"l" | b"L" => Ok((false, 1)),
        b"ll" | b"LL" => Ok((false, 2)),
        b"ul" | b"uL" | b"Ul" | b"UL" | b"lu" | b"lU" | b"Lu" | b"LU" => Ok((true, 1)),
        b"ull" | b"uLL" | b"Ull" | b"ULL" | b"llu" | b"llU" | b"LLu" | b"LLU" => Ok((true, 2)),
        // Windows.
        b"i64" | b"I64" => Ok((false, 2)),
        b"ui64" | b"uI64" | b"Ui64" | b"UI64" => Ok((true, 2)),
        b"i" | b"j" | b"I" | b"J" => Err("imaginary integer constants are not supported".into()),
        _ => Err(bad_suffix(suffix, "an integer")),
    }
}

fn read_float(digits: &[u8], radix: u32) -> Result<FloatLiteral, String> {
    let mut at = 0;
    let mut mantissa = 0;
    let mut points = 0;
    while let Some(&byte) = digits.get(at) {
        match byte {
            b'.' => points += 1,
            _ if (byte as char).is_digit(radix) => mantissa += 1,
            _ => break,
        }
        at += 1;
    }
    if mantissa == 0 {
        return Err("a number without digits".into());
    }
    if points > 1 {
        return Err("a number with two decimal points".into());
    }
    at += exponent_length(&digits[at..], radix)?;
    float_suffix(&digits[at..])
}

fn exponent_length(text: &[u8], radix: u32) -> Result<usize, String> {
    let has_exponent = match text.first() {
        Some(b'e' | b'E') => radix == 10,
        Some(b'p' | b'P') => radix == 16,
        _ => false,
    };
    if !has_exponent {
        return match radix {
            16 => Err("a hexadecimal floating constant needs an exponent".into()),
            _ => Ok(0),
        };
    }
    let sign = usize::from(matches!(text.get(1), Some(b'+' | b'-')));
    let digits = text[1 + sign..].iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 { Err("exponent without digits".into()) } else { Ok(1 + sign + digits) }
}

fn float_suffix(suffix: &[u8]) -> Result<FloatLiteral, String> {
    let is_unit = |byte: &u8| matches!(byte, b'i' | b'j' | b'I' | b'J');
    let (size, imaginary) = match suffix {
        [rest @ .., last] if is_unit(last) => (rest, true),
        [first, rest @ ..] if is_unit(first) => (rest, true),
        _ => (suffix, false),
    };
    let size = match size.to_ascii_lowercase().as_slice() {
        b"" | b"d" | b"f64" | b"f32x" => FloatSize::Double,
        b"f" | b"f32" => FloatSize::Float,
        b"l" | b"w" | b"f64x" => FloatSize::LongDouble,
        b"q" | b"f128" => FloatSize::Quad,
        b"f16" => FloatSize::Half,
        _ => return Err(bad_suffix(suffix, "a floating")),
    };
    Ok(FloatLiteral { size, imaginary })
}

fn bad_suffix(suffix: &[u8], kind: &str) -> String {
    format!("unknown suffix '{}' on {kind} constant", String::from_utf8_lossy(suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match read_number(text.as_bytes()) {
            Ok(Number::Int(int)) => {
                let unsigned = if int.unsigned { "u" } else { "" };
                let radix = if int.decimal { "" } else { " not decimal" };
                format!("{}{unsigned}{}{radix}", int.value, "l".repeat(int.longs.into()))
            }
            Ok(Number::Float(float)) => {
                format!("{:?}{}", float.size, if float.imaginary { " imaginary" } else { "" })
            }
            Err(message) => message,
        }
    }

    #[test]
    fn integers() {
        for (text, expected) in [
            ("0", "0"),
            ("42", "42"),
            ("1ul", "1ul"),
            ("1LLU", "1ull"),
            ("0x1F", "31 not decimal"),
            ("0b101u", "5u not decimal"),
            ("017", "15 not decimal"),
            ("18446744073709551615", "18446744073709551615"),
            ("18446744073709551616", "integer constant does not fit into 64 bits"),
            ("08", "digit '8' in an octal constant"),
            ("0b2", "digit '2' in a binary constant"),
            ("0x", "a number without digits"),
            ("1lul", "unknown suffix 'lul' on an integer constant"),
            ("12abc", "unknown suffix 'abc' on an integer constant"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn floats() {
        for (text, expected) in [
            ("1.", "Double"),
            (".5f", "Float"),
            ("1e10", "Double"),
            ("08.5", "Double"),
            ("1.5E-3L", "LongDouble"),
            ("1.0q", "Quad"),
            ("1.0f128", "Quad"),
            ("1.0F32x", "Double"),
            ("1.0f16", "Half"),
            ("0x1.8p3", "Double"),
            ("0x1p-2f", "Float"),
            ("1.0i", "Double imaginary"),
            ("1.0if", "Float imaginary"),
            ("1.2.3", "a number with two decimal points"),
            ("1e", "exponent without digits"),
            ("0x1.8", "a hexadecimal floating constant needs an exponent"),
            ("1.0dd", "unknown suffix 'dd' on a floating constant"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
