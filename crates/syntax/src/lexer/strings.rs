//! The values of string literals and character constants (C11 6.4.4.4 and 6.4.5).
//!
//! The source and the execution character set are UTF-8; bytes that are not valid UTF-8 stand for
//! themselves. `char` is signed, as on every machine that we model, so `'\xff'` is -1.

use super::cursor::{universal_character, without_splices};
use crate::ast::{CharKind, Units};

/// Splits a constant into its prefix and what stands between the quotes.
pub(crate) fn split_prefix(text: &[u8]) -> (CharKind, &[u8]) {
    let (kind, quoted) = match text {
        [b'L', rest @ ..] => (CharKind::Wide, rest),
        [b'u', b'8', rest @ ..] => (CharKind::Utf8, rest),
        [b'u', rest @ ..] => (CharKind::Utf16, rest),
        [b'U', rest @ ..] => (CharKind::Utf32, rest),
        _ => (CharKind::Plain, text),
    };
    let quote = quoted.first().copied().unwrap_or(b'"');
    let body = quoted.get(1..).unwrap_or_default();
    (kind, body.strip_suffix(&[quote]).unwrap_or(body))
}

/// One element of a literal's body.
enum Piece {
    /// A byte of the source.
    Source(u8),
    /// The value of an escape sequence: one unit, whatever its size.
    Unit(u32),
    /// A universal character name: a character in the encoding of the literal.
    Character(u32),
}

struct Pieces<'a> {
    rest: &'a [u8],
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        if first != b'\\' {
            return Some(Piece::Source(first));
        }
        Some(self.escape())
    }
}

impl Pieces<'_> {
    fn escape(&mut self) -> Piece {
        let Some((&selector, rest)) = self.rest.split_first() else {
            return Piece::Source(b'\\');
        };
        if let Some((value, length)) = universal_character(self.rest) {
            self.rest = &self.rest[length..];
            return Piece::Character(value);
        }
        match selector {
            b'0'..=b'7' => Piece::Unit(self.digits(8, 3)),
            b'x' => {
                self.rest = rest;
                Piece::Unit(self.digits(16, usize::MAX))
            }
            _ => {
                self.rest = rest;
                simple_escape(selector)
            }
        }
    }

    fn digits(&mut self, radix: u32, most: usize) -> u32 {
        let mut value = 0u32;
        let mut length = 0;
        while let Some(digit) = self.rest.get(length).and_then(|&b| (b as char).to_digit(radix)) {
            if length == most {
                break;
            }
            value = value.wrapping_mul(radix).wrapping_add(digit);
            length += 1;
        }
        self.rest = &self.rest[length..];
        value
    }
}

fn simple_escape(selector: u8) -> Piece {
    Piece::Unit(match selector {
        b'a' => 7,
        b'b' => 8,
        b't' => 9,
        b'n' => 10,
        b'v' => 11,
        b'f' => 12,
        b'r' => 13,
        b'e' | b'E' => 27,
        // `\"`, `\\` and the like; for unknown ones gcc takes the character itself, too.
        other => return Piece::Source(other),
    })
}

/// The bytes of a plain or `u8` literal's body.
pub(crate) fn decode_bytes(body: &[u8]) -> Vec<u8> {
    if !body.contains(&b'\\') {
        return body.to_vec();
    }
    let body = without_splices(body);
    let mut bytes = Vec::with_capacity(body.len());
    for piece in (Pieces { rest: &body }) {
        match piece {
            Piece::Source(byte) => bytes.push(byte),
            Piece::Unit(value) => bytes.push(value as u8),
            Piece::Character(value) => {
                let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
                bytes.extend(character.encode_utf8(&mut [0; 4]).bytes());
            }
        }
    }
    bytes
}

/// The 16- or 32-bit units of a wide literal's body.
fn decode_wide(body: &[u8], sixteen_bits: bool) -> Vec<u32> {
    let body = without_splices(body);
    let mut units = Vec::with_capacity(body.len());
    let mut source = Vec::new();
    for piece in (Pieces { rest: &body }) {
        if let Piece::Source(byte) = piece {
            source.push(byte);
            continue;
        }
        push_source(&mut units, &mut source, sixteen_bits);
        match piece {
            Piece::Unit(value) => units.push(if sixteen_bits { value & 0xffff } else { value }),
            Piece::Character(value) => push_character(&mut units, value, sixteen_bits),
            Piece::Source(_) => {}
        }
    }
    push_source(&mut units, &mut source, sixteen_bits);
    units
}

fn push_source(units: &mut Vec<u32>, source: &mut Vec<u8>, sixteen_bits: bool) {
    for chunk in source.utf8_chunks() {
        for character in chunk.valid().chars() {
            push_character(units, character.into(), sixteen_bits);
        }
        units.extend(chunk.invalid().iter().map(|&byte| u32::from(byte)));
    }
    source.clear();
}

fn push_character(units: &mut Vec<u32>, value: u32, sixteen_bits: bool) {
    match char::from_u32(value) {
        Some(character) if sixteen_bits => {
            units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit)));
        }
        _ => units.push(value),
    }
}

/// Joins adjacent string literals, given with prefix and quotes.
pub(crate) fn join_strings(literals: &[&[u8]]) -> Result<(Units, CharKind), String> {
    let mut kind = CharKind::Plain;
    for literal in literals {
        let (own, _) = split_prefix(literal);
        if kind != CharKind::Plain && own != CharKind::Plain && own != kind {
            return Err("adjacent string literals have different prefixes".into());
        }
        if own != CharKind::Plain {
            kind = own;
        }
    }
    let bodies = literals.iter().map(|literal| split_prefix(literal).1);
    let units = match kind {
        CharKind::Plain | CharKind::Utf8 => {
            Units::Bytes(bodies.flat_map(decode_bytes).collect::<Vec<_>>().into())
        }
        CharKind::Utf16 => Units::Wide(bodies.flat_map(|body| decode_wide(body, true)).collect()),
        CharKind::Wide | CharKind::Utf32 => {
            Units::Wide(bodies.flat_map(|body| decode_wide(body, false)).collect())
        }
    };
    Ok((units, kind))
}

/// The value of a character constant, given with prefix and quotes.
pub(crate) fn read_character(text: &[u8]) -> Result<(u32, CharKind), String> {
    let (kind, body) = split_prefix(text);
    let value = match kind {
        CharKind::Plain => plain_character(&decode_bytes(body)),
        CharKind::Utf8 => decode_bytes(body).first().copied().map(u32::from),
        CharKind::Utf16 => decode_wide(body, true).last().copied(),
        CharKind::Wide | CharKind::Utf32 => decode_wide(body, false).last().copied(),
    };
    value.map(|value| (value, kind)).ok_or_else(|| "empty character constant".into())
}

/// A single character is sign-extended; of several, each shifts the ones before it by a byte.
fn plain_character(bytes: &[u8]) -> Option<u32> {
    match bytes {
        [] => None,
        [byte] => Some(i32::from(*byte as i8) as u32),
        _ => Some(bytes.iter().fold(0, |value, &byte| value << 8 | u32::from(byte))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(literals: &[&str]) -> Vec<u32> {
        let literals: Vec<_> = literals.iter().map(|literal| literal.as_bytes()).collect();
        match join_strings(&literals).unwrap().0 {
            Units::Bytes(bytes) => bytes.iter().map(|&byte| byte.into()).collect(),
            Units::Wide(units) => units.to_vec(),
        }
    }

    #[test]
    fn strings_are_decoded_and_joined() {
        assert_eq!(units(&[r#""a\n\0""#]), [97, 10, 0]);
        assert_eq!(units(&[r#""\x41\101\e\"""#]), [65, 65, 27, 34]);
        assert_eq!(units(&[r#""\x1""#, r#""2""#]), [1, 50]);
        assert_eq!(units(&["\"a\\\nb\""]), [97, 98]);
        assert_eq!(units(&["\"é\""]), [0xc3, 0xa9]);
        assert_eq!(units(&[r#""\u00e9""#]), [0xc3, 0xa9]);
        assert_eq!(units(&["L\"é\"", "\"é\""]), [0xe9, 0xe9]);
        assert_eq!(units(&[r#"u"\U0001F600""#]), [0xd83d, 0xde00]);
        assert_eq!(units(&["U\"😀\""]), [0x1f600]);
        assert_eq!(units(&["\"\""]), [0u32; 0]);
        assert!(join_strings(&[b"L\"a\"", b"u\"b\""]).is_err());
    }

    #[test]
    fn characters_have_the_values_that_gcc_gives_them() {
        for (text, value) in [
            ("'a'", 97),
            ("'\\n'", 10),
            ("'\\''", 39),
            ("'\\0'", 0),
            ("'\\xff'", u32::MAX),
            ("'ab'", 0x6162),
            ("L'é'", 0xe9),
            ("u8'a'", 97),
        ] {
            assert_eq!(read_character(text.as_bytes()).unwrap().0, value, "{text}");
        }
        assert!(read_character(b"''").is_err());
    }

    #[test]
    fn bytes_that_are_not_utf_8_stand_for_themselves() {
        let (Units::Bytes(bytes), _) = join_strings(&[b"\"\xff\xfe\""]).unwrap() else { panic!() };
        assert_eq!(*bytes, [0xff, 0xfe]);
        let (Units::Wide(units), _) = join_strings(&[b"L\"\xff\""]).unwrap() else { panic!() };
        assert_eq!(*units, [0xff]);
    }
}
