//! The `printf` family: a format and its arguments to bytes.

use super::decimal::{Decimal, hexadecimal};
use crate::call::Argument;
use crate::code::Scalar;
use crate::floats::{self, Class, Rounding};
use crate::integers::Shape;
use crate::machine::{Machine, Result};
use sema::types::FloatKind;

/// One conversion of a format, between `%` and its letter.
#[derive(Clone, Default, PartialEq, Debug)]
struct Directive {
    minus: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Length {
    Char,
    Short,
    #[default]
    Int,
    Long,
    LongLong,
    /// `z`, `t`
    Size,
    /// `L`
    LongDouble,
}

/// More than this is the program's mistake, not something to print.
const MOST: usize = 1 << 24;

/// The format, and what is left of it and of the arguments.
struct Source<'a> {
    format: &'a [u8],
    position: usize,
    arguments: std::slice::Iter<'a, Argument>,
}

impl Source<'_> {
    fn peek(&self) -> u8 {
        self.format.get(self.position).copied().unwrap_or(0)
    }

    fn next(&mut self) -> u8 {
        let byte = self.peek();
        self.position += 1;
        byte
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.position += usize::from(found);
        found
    }

    fn number(&mut self) -> usize {
        let mut value: usize = 0;
        while self.peek().is_ascii_digit() {
            value = value.saturating_mul(10).saturating_add(usize::from(self.next() - b'0'));
        }
        value
    }
}

impl Machine<'_> {
    /// What `printf` would print.
    pub(super) fn format(&mut self, format: &[u8], arguments: &[Argument]) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let mut source = Source { format, position: 0, arguments: arguments.iter() };
        while source.position < format.len() {
            match source.next() {
                b'%' if source.accept(b'%') => out.push(b'%'),
                b'%' => self.directive(&mut source, &mut out)?,
                byte => out.push(byte),
            }
        }
        Ok(out)
    }

    fn directive(&mut self, source: &mut Source<'_>, out: &mut Vec<u8>) -> Result<()> {
        let mut directive = Directive::default();
        self.flags(&mut directive, source)?;
        let letter = source.next();
        let text = match letter {
            b'd' | b'i' => self.signed(&directive, source)?,
            b'u' | b'x' | b'X' | b'o' => self.unsigned(&directive, letter, source)?,
            b'c' => {
                let value = self.printed_argument(source)?.bits();
                directive.pad(&[], &[value as u8], false)
            }
            b's' => {
                let address = self.printed_argument(source)?.bits() as u64;
                let text = self.printed_string(&directive, address)?;
                directive.pad(&[], &text, false)
            }
            b'p' => {
                let address = self.printed_argument(source)?.bits() as u64 & self.address_mask;
                let text = if address == 0 { "(nil)".into() } else { format!("{address:#x}") };
                directive.pad(&[], text.as_bytes(), false)
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let format = if directive.length == Length::LongDouble {
                    FloatKind::LongDouble
                } else {
                    FloatKind::Double
                };
                let argument = self.printed_argument(source)?;
                directive.float(letter, format, float_bits(argument, format))
            }
            b'n' => {
                let address = self.printed_argument(source)?.bits() as u64;
                self.store_count(&directive, address, out.len())?;
                Vec::new()
            }
            b'm' => directive.pad(&[], b"Success", false),
            b'%' => b"%".to_vec(),
            other => {
                return Err(self.unsupported(format!("printf conversion %{}", char::from(other))));
            }
        };
        out.extend(text);
        Ok(())
    }

    fn flags(&mut self, directive: &mut Directive, source: &mut Source<'_>) -> Result<()> {
        loop {
            match source.peek() {
                b'-' => directive.minus = true,
                b'+' => directive.plus = true,
                b' ' => directive.space = true,
                b'#' => directive.alternate = true,
                b'0' => directive.zero = true,
                b'\'' | b'I' => {}
                _ => break,
            }
            source.position += 1;
        }
        if source.accept(b'*') {
            let width = self.printed_argument(source)?.bits() as i32;
            directive.minus |= width < 0;
            directive.width = width.unsigned_abs() as usize;
        } else {
            directive.width = source.number();
        }
        if source.accept(b'.') {
            directive.precision = if source.accept(b'*') {
                usize::try_from(self.printed_argument(source)?.bits() as i32).ok()
            } else {
                Some(source.number())
            };
        }
        if directive.width > MOST || directive.precision.is_some_and(|precision| precision > MOST) {
            return Err(self.unsupported("a printf width of many millions"));
        }
        directive.length = length(source);
        Ok(())
    }

    fn printed_argument<'a>(&self, source: &mut Source<'a>) -> Result<&'a Argument> {
        source.arguments.next().ok_or_else(|| self.unsupported("printf has fewer arguments than conversions"))
    }

    fn integer_shape(&self, length: Length, signed: bool) -> Shape {
        let word = 8 * self.program.types.pointer_size() as u8;
        let width = match length {
            Length::Char => 8,
            Length::Short => 16,
            Length::Int => 32,
            Length::Long | Length::Size => word,
            Length::LongLong | Length::LongDouble => 64,
        };
        Shape { width, signed }
    }

    fn signed(&self, directive: &Directive, source: &mut Source<'_>) -> Result<Vec<u8>> {
        let shape = self.integer_shape(directive.length, true);
        let value = shape.canonical(self.printed_argument(source)?.bits() as u64) as i64;
        let sign: &[u8] = match value {
            ..0 => b"-",
            _ if directive.plus => b"+",
            _ if directive.space => b" ",
            _ => b"",
        };
        Ok(directive.integer(sign, value.unsigned_abs().to_string()))
    }

    fn unsigned(&self, directive: &Directive, letter: u8, source: &mut Source<'_>) -> Result<Vec<u8>> {
        let shape = self.integer_shape(directive.length, false);
        let value = shape.canonical(self.printed_argument(source)?.bits() as u64);
        let show = directive.alternate && value != 0;
        Ok(match letter {
            b'x' => directive.integer(if show { b"0x" } else { b"" }, format!("{value:x}")),
            b'X' => directive.integer(if show { b"0X" } else { b"" }, format!("{value:X}")),
            b'o' => {
                let digits = format!("{value:o}");
                let zero = directive.alternate && directive.precision.is_none_or(|p| p <= digits.len());
                let digits = if zero && value != 0 { format!("0{digits}") } else { digits };
                if value == 0 && directive.alternate && directive.precision == Some(0) {
                    return Ok(directive.pad(&[], b"0", false));
                }
                directive.integer(b"", digits)
            }
            _ => directive.integer(b"", value.to_string()),
        })
    }

    fn printed_string(&mut self, directive: &Directive, address: u64) -> Result<Vec<u8>> {
        if address & self.address_mask == 0 {
            let short = directive.precision.is_some_and(|precision| precision < 6);
            return Ok(if short { Vec::new() } else { b"(null)".to_vec() });
        }
        if directive.length == Length::Long {
            return Err(self.unsupported("printf of a wide string"));
        }
        match directive.precision {
            Some(most) => self.string_up_to(address, most as u64),
            None => self.string(address),
        }
    }

    fn store_count(&mut self, directive: &Directive, address: u64, count: usize) -> Result<()> {
        let size = self.integer_shape(directive.length, true).bytes();
        let at = self.stretch(address, size as u64, true)?;
        self.memory.store(at.object, at.offset, size, count as u64);
        Ok(())
    }
}

fn length(source: &mut Source<'_>) -> Length {
    match source.peek() {
        b'h' => {
            source.position += 1;
            if source.accept(b'h') { Length::Char } else { Length::Short }
        }
        b'l' => {
            source.position += 1;
            if source.accept(b'l') { Length::LongLong } else { Length::Long }
        }
        b'q' | b'j' => {
            source.position += 1;
            Length::LongLong
        }
        b'z' | b't' | b'Z' => {
            source.position += 1;
            Length::Size
        }
        b'L' => {
            source.position += 1;
            Length::LongDouble
        }
        _ => Length::Int,
    }
}

fn float_bits(argument: &Argument, format: FloatKind) -> u128 {
    match argument.scalar {
        Some(Scalar::Float(from)) => floats::convert(from, format, argument.bits(), Rounding::Even),
        _ => argument.bits(),
    }
}

impl Directive {
    /// Brings `prefix` and `body` to the width; zeros go in between.
    fn pad(&self, prefix: &[u8], body: &[u8], zeros: bool) -> Vec<u8> {
        let missing = self.width.saturating_sub(prefix.len() + body.len());
        let (before, between, after) = match (self.minus, zeros && self.zero) {
            (true, _) => (0, 0, missing),
            (false, true) => (0, missing, 0),
            (false, false) => (missing, 0, 0),
        };
        let mut out = vec![b' '; before];
        out.extend(prefix);
        out.resize(out.len() + between, b'0');
        out.extend(body);
        out.resize(out.len() + after, b' ');
        out
    }

    fn integer(&self, prefix: &[u8], digits: String) -> Vec<u8> {
        let digits = match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(precision) => format!("{digits:0>precision$}"),
            None => digits,
        };
        self.pad(prefix, digits.as_bytes(), self.precision.is_none())
    }

    fn float(&self, letter: u8, format: FloatKind, bits: u128) -> Vec<u8> {
        let upper = letter.is_ascii_uppercase();
        let sign = match () {
            () if floats::is_negative(format, bits) => "-",
            () if self.plus => "+",
            () if self.space => " ",
            () => "",
        };
        let special = match floats::class(format, bits) {
            Class::Nan => Some("nan"),
            Class::Infinite => Some("inf"),
            _ => None,
        };
        if let Some(name) = special {
            let name = if upper { name.to_ascii_uppercase() } else { name.into() };
            return self.pad(sign.as_bytes(), name.as_bytes(), false);
        }
        let body = self.finite(letter.to_ascii_lowercase(), format, bits);
        let prefix = if letter.eq_ignore_ascii_case(&b'a') { format!("{sign}0x") } else { sign.into() };
        let out = (prefix, body);
        let out = if upper { (out.0.to_ascii_uppercase(), out.1.to_ascii_uppercase()) } else { out };
        self.pad(out.0.as_bytes(), out.1.as_bytes(), true)
    }

    fn finite(&self, letter: u8, format: FloatKind, bits: u128) -> String {
        let parts = floats::parts(format, bits);
        let precision = self.precision.unwrap_or(6);
        match letter {
            b'f' => Decimal::new(parts).fixed(precision, self.alternate),
            b'e' => Decimal::new(parts).scientific(precision, self.alternate, 'e'),
            b'g' => Decimal::new(parts).general(precision, self.alternate, 'e'),
            _ if format == FloatKind::LongDouble => hexadecimal(parts, 15, self.precision, self.alternate),
            _ => hexadecimal(parts, 13, self.precision, self.alternate),
        }
    }
}
