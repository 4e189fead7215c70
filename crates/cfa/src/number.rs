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
    let value = types.int_value(ty, bits);
    let suffix = suffix(kind);
    let shape = types.int_shape(ty);
    match shape {
        Some(shape)
            if shape.signed && (32..=64).contains(&shape.width) && value == -1 << (shape.width - 1) =>
        {
            format!("({}{suffix} - 1)", value + 1)
        }
        Some(_) if kind == IntKind::UnsignedInt128 => format!("(unsigned __int128){value}ULL"),
        Some(_) if kind == IntKind::Int128 => format!("(__int128){value}LL"),
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
    let format = Format::of(kind);
    if let Some(special) = format.special(bits) {
        return special;
    }
    match kind {
        FloatKind::Float => format!("{:?}F", f32::from_bits(bits as u32)),
        FloatKind::Double => format!("{:?}", f64::from_bits(bits as u64)),
        FloatKind::Half | FloatKind::LongDouble | FloatKind::Quad => format.hexadecimal(bits),
    }
}

/// Where the parts of a floating-point number are.
#[derive(Clone, Copy)]
struct Format {
    exponent_bits: u32,
    fraction_bits: u32,
    /// The bit before the point is stored.
    explicit: bool,
    suffix: &'static str,
}

impl Format {
    fn of(kind: FloatKind) -> Format {
        let (exponent_bits, fraction_bits, explicit, suffix) = match kind {
            FloatKind::Half => (5, 10, false, "F16"),
            FloatKind::Float => (8, 23, false, "F"),
            FloatKind::Double => (11, 52, false, ""),
            FloatKind::LongDouble => (15, 63, true, "L"),
            FloatKind::Quad => (15, 112, false, "F128"),
        };
        Format { exponent_bits, fraction_bits, explicit, suffix }
    }

    fn stored_bits(self) -> u32 {
        self.fraction_bits + u32::from(self.explicit)
    }

    fn sign(self, bits: u128) -> &'static str {
        if bits >> (self.stored_bits() + self.exponent_bits) & 1 == 1 { "-" } else { "" }
    }

    fn exponent(self, bits: u128) -> i64 {
        (bits >> self.stored_bits()) as i64 & ((1 << self.exponent_bits) - 1)
    }

    fn fraction(self, bits: u128) -> u128 {
        bits & ((1 << self.fraction_bits) - 1)
    }

    /// Infinities and NaNs, which have no constants.
    fn special(self, bits: u128) -> Option<String> {
        if self.exponent(bits) != (1 << self.exponent_bits) - 1 {
            return None;
        }
        let (sign, suffix) = (self.sign(bits), self.suffix.to_lowercase());
        Some(match self.fraction(bits) {
            0 => format!("{sign}__builtin_inf{suffix}()"),
            _ => format!("{sign}__builtin_nan{suffix}(\"\")"),
        })
    }

    fn hexadecimal(self, bits: u128) -> String {
        let (sign, exponent, fraction) = (self.sign(bits), self.exponent(bits), self.fraction(bits));
        let leading = if self.explicit { bits >> self.fraction_bits & 1 } else { u128::from(exponent != 0) };
        if leading == 0 && fraction == 0 {
            return format!("{sign}0.0{}", self.suffix);
        }
        let bias = (1 << (self.exponent_bits - 1)) - 1;
        let power = if exponent == 0 { 1 - bias } else { exponent - bias };
        let width = self.fraction_bits.div_ceil(4);
        let aligned = fraction << (width * 4 - self.fraction_bits);
        let digits = format!("{aligned:0width$x}", width = width as usize);
        let digits = digits.trim_end_matches('0');
        let point = if digits.is_empty() { "" } else { "." };
        format!("{sign}0x{leading}{point}{digits}p{power:+}{}", self.suffix)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use sema::types::DataModel;

    fn check_int(ty: TypeId, value: i128, expected: &str) {
        let types = Types::new(DataModel::Lp64);
        assert_eq!(int_text(&types, ty, types.int_bits(ty, value)), expected);
    }

    #[test]
    fn integers_have_the_suffix_of_their_type() {
        check_int(TypeId::INT, -5, "-5");
        check_int(TypeId::SIGNED_CHAR, -128, "-128");
        check_int(TypeId::INT, i128::from(i32::MIN), "(-2147483647 - 1)");
        check_int(TypeId::LONG, i128::from(i64::MIN), "(-9223372036854775807L - 1)");
        check_int(TypeId::UNSIGNED_LONG_LONG, i128::from(u64::MAX), "18446744073709551615ULL");
        check_int(
            TypeId::UNSIGNED_INT128,
            i128::from(u64::MAX),
            "(unsigned __int128)18446744073709551615ULL",
        );
        check_int(TypeId::INT128, -5, "(__int128)-5LL");
    }

    fn check_float(ty: TypeId, bits: u128, expected: &str) {
        assert_eq!(float_text(&Types::new(DataModel::Lp64), ty, bits), expected);
    }

    #[test]
    fn floats_read_back_as_they_were() {
        check_float(TypeId::FLOAT, u128::from(0.1f32.to_bits()), "0.1F");
        check_float(TypeId::DOUBLE, u128::from((-1e300f64).to_bits()), "-1e300");
        check_float(TypeId::DOUBLE, u128::from(f64::INFINITY.to_bits()), "__builtin_inf()");
        check_float(TypeId::FLOAT, u128::from(f32::NAN.to_bits()), "__builtin_nanf(\"\")");
        check_float(TypeId::LONG_DOUBLE, 0x3FFF_C000_0000_0000_0000, "0x1.8p+0L");
        check_float(TypeId::QUAD, 0xC000 << 112, "-0x1p+1F128");
        check_float(TypeId::HALF, 0x3E00, "0x1.8p+0F16");
        check_float(TypeId::LONG_DOUBLE, 1, "0x0.0000000000000002p-16382L");
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(string_text(b"a\"\n\x01\0"), r#""a\"\n\001""#);
    }
}
