//! Constants in C syntax: exact, and of the type that they have.

use sema::types::{FloatKind, IntKind, Type, TypeId, Types};

/// An integer constant. Types narrower than `int` have none of their own: theirs are `int`s.
pub fn int_text(types: &Types, ty: TypeId, bits: u64) -> String {
    let kind = match *types.get(ty) {
        Type::Enum(id) => {
            return types.enums[id].underlying.map_or(bits.to_string(), |ty| int_text(types, ty, bits));
        }
        Type::Int(kind) => kind,
        Type::Pointer(_) if bits != 0 => return format!("(void *){bits}"),
        _ => return bits.to_string(),
    };
    let value = match kind {
        // Sign-extended to 128 bits, whatever the sign of the type.
        IntKind::Int128 | IntKind::UnsignedInt128 => i128::from(bits as i64),
        _ => types.int_value(ty, bits),
    };
    let suffix = suffix(kind);
    let shape = types.int_shape(ty);
    match shape {
        Some(shape)
            if shape.signed && (32..=64).contains(&shape.width) && value == -1 << (shape.width - 1) =>
        {
            format!("({}{suffix} - 1)", value + 1)
        }
        Some(_) if kind == IntKind::UnsignedInt128 && value < 0 => format!("(unsigned __int128){value}"),
        _ => format!("{value}{suffix}"),
    }
}

fn suffix(kind: IntKind) -> &'static str {
    match kind {
        IntKind::UnsignedInt => "U",
        IntKind::Long => "L",
        IntKind::UnsignedLong => "UL",
        IntKind::LongLong => "LL",
        IntKind::UnsignedLongLong => "ULL",
        _ => "",
    }
}

/// A floating-point constant that reads back as the same bits (payloads of NaNs aside).
pub fn float_text(types: &Types, ty: TypeId, bits: u128) -> String {
    let Type::Float(kind) = *types.get(ty) else { return format!("{bits:#x}") };
    match kind {
        FloatKind::Float => {
            decimal(f64::from(f32::from_bits(bits as u32)), || format!("{:?}", f32::from_bits(bits as u32)))
                + "F"
        }
        FloatKind::Double => {
            decimal(f64::from_bits(bits as u64), || format!("{:?}", f64::from_bits(bits as u64)))
        }
        FloatKind::Half => hexadecimal(bits, Format { exponent: 5, fraction: 10, explicit: false }, "F16"),
        FloatKind::LongDouble => {
            hexadecimal(bits, Format { exponent: 15, fraction: 63, explicit: true }, "L")
        }
        FloatKind::Quad => hexadecimal(bits, Format { exponent: 15, fraction: 112, explicit: false }, "F128"),
    }
}

fn decimal(value: f64, text: impl FnOnce() -> String) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        format!("{sign}(0.0 / 0.0)")
    } else if value.is_infinite() {
        format!("{sign}1e999")
    } else {
        text()
    }
}

#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    fraction: u32,
    /// The bit before the point is stored.
    explicit: bool,
}

fn hexadecimal(bits: u128, format: Format, suffix: &str) -> String {
    let Format { exponent: exponent_bits, fraction: fraction_bits, explicit } = format;
    let stored = fraction_bits + u32::from(explicit);
    let sign = if bits >> (stored + exponent_bits) & 1 == 1 { "-" } else { "" };
    let exponent = (bits >> stored) as i64 & ((1 << exponent_bits) - 1);
    let fraction = bits & ((1 << fraction_bits) - 1);
    let bias = (1 << (exponent_bits - 1)) - 1;
    if exponent == (1 << exponent_bits) - 1 {
        return if fraction == 0 {
            format!("{sign}1e9999{suffix}")
        } else {
            format!("{sign}(0.0{suffix} / 0.0)")
        };
    }
    let leading = if explicit { bits >> fraction_bits & 1 } else { u128::from(exponent != 0) };
    if leading == 0 && fraction == 0 {
        return format!("{sign}0.0{suffix}");
    }
    let power = if exponent == 0 { 1 - bias } else { exponent - bias };
    let digits = fraction_bits.div_ceil(4);
    let shifted = fraction << (digits * 4 - fraction_bits);
    let digits = format!("{shifted:0width$x}", width = digits as usize);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{leading}{point}{digits}p{power:+}{suffix}")
}

/// A string literal; the zero at its end is not written.
pub fn string_text(bytes: &[u8]) -> String {
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push(char::from(byte));
            }
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}
