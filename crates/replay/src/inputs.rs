//! Where the values come from that the program does not compute.
//!
//! Inputs are asked for at [`cfa::EdgeKind::Input`] edges and at calls of undefined functions that
//! are not of the C library, in the order of execution. Fresh memory (locals when they are declared,
//! `malloc`, …) asks for its content at once, through [`Inputs::fresh`].

use crate::floats::{self, Rounding};
use base::Span;
use cfa::EdgeId;
use sema::types::{FloatKind, TypeId};

/// What a value is wanted for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    pub ty: TypeId,
    pub kind: InputKind,
    /// The undefined function that the value is the result of.
    pub function: Option<&'a str>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    Bool,
    Integer {
        width: u32,
        signed: bool,
    },
    Float(FloatKind),
    /// Size of what the pointer points to, where it is known.
    Pointer(Option<u64>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputValue {
    /// Bits of the value; those that the type does not have are ignored.
    Bits(u128),
    /// A pointer to memory that no other pointer reaches.
    Memory(Outside),
}

/// Memory of the environment.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outside {
    pub size: u64,
    pub contents: Contents,
}

impl Outside {
    /// So many zeros.
    pub fn zeros(size: u64) -> Self {
        Self { size, contents: Contents::default() }
    }
}

/// What memory holds before the program writes to it: zero where no piece says otherwise. Later
/// pieces cover earlier ones; what does not fit the memory is left out.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Contents {
    pub pieces: Vec<(u64, Piece)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// The low `size` bytes of a number, at most 16.
    Bits { size: u32, bits: u128 },
    /// A pointer to memory that nothing else points to.
    Pointer(Outside),
}

pub trait Inputs {
    /// The next value; `None` when there are no more.
    fn next(&mut self, request: &Request<'_>) -> Option<InputValue>;

    /// All of a record or an array that is an input at an edge; `None` to be asked for its bytes one by one.
    fn whole(&mut self, _edge: EdgeId) -> Option<Contents> {
        None
    }

    /// What the memory holds that comes to life at an edge.
    fn fresh(&mut self, _edge: EdgeId, _size: u64) -> Contents {
        Contents::default()
    }
}

impl Contents {
    /// What is there from an offset on.
    pub fn behind(self, start: u64) -> Contents {
        let moved = |(offset, piece): (u64, Piece)| match piece {
            _ if offset >= start => Some((offset - start, piece)),
            Piece::Bits { size, bits } if offset + u64::from(size) > start => {
                let cut = (start - offset) as u32;
                Some((0, Piece::Bits { size: size - cut, bits: bits >> (8 * cut) }))
            }
            _ => None,
        };
        Contents { pieces: self.pieces.into_iter().filter_map(moved).collect() }
    }
}

/// Zero, always.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zeros;

impl Inputs for Zeros {
    fn next(&mut self, _: &Request<'_>) -> Option<InputValue> {
        Some(InputValue::Bits(0))
    }
}

/// A list of values, as a counterexample has them.
#[derive(Clone, Default, Debug)]
pub struct List {
    values: Vec<Number>,
    position: usize,
}

#[derive(Clone, PartialEq, Debug)]
enum Number {
    /// Two's complement, or the raw bits of a float.
    Bits(u128),
    Decimal(i128),
    /// What only a float can be; kept as text because its format is not known yet.
    Real(String),
}

/// A word of an input file that is no number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadNumber {
    pub line: usize,
    pub word: String,
}

impl std::fmt::Display for BadNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: '{}' is not a number", self.line, self.word)
    }
}

impl std::error::Error for BadNumber {}

impl List {
    pub fn of_bits(values: impl IntoIterator<Item = u128>) -> Self {
        Self { values: values.into_iter().map(Number::Bits).collect(), position: 0 }
    }

    /// Numbers separated by white space; `#` starts a comment. Decimal numbers are values, also for
    /// floats; hexadecimal ones (`0x…`, no point, no exponent) are bits.
    pub fn parse(text: &str) -> Result<Self, BadNumber> {
        let mut values = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            for word in line.split_ascii_whitespace() {
                let bad = || BadNumber { line: index + 1, word: word.into() };
                values.push(parse_number(word).ok_or_else(bad)?);
            }
        }
        Ok(Self { values, position: 0 })
    }

    /// How many values have been taken.
    pub fn taken(&self) -> usize {
        self.position
    }
}

fn parse_number(word: &str) -> Option<Number> {
    if let Some(digits) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))
        && let Ok(bits) = u128::from_str_radix(digits, 16)
    {
        return Some(Number::Bits(bits));
    }
    if let Ok(value) = word.parse() {
        return Some(Number::Decimal(value));
    }
    floats::parse(FloatKind::Double, word).map(|_| Number::Real(word.into()))
}

impl Inputs for List {
    fn next(&mut self, request: &Request<'_>) -> Option<InputValue> {
        let number = self.values.get(self.position)?;
        self.position += 1;
        Some(InputValue::Bits(match (number, request.kind) {
            (Number::Bits(bits), _) => *bits,
            (Number::Decimal(value), InputKind::Float(format)) => {
                floats::from_integer(format, *value as u128, true, Rounding::Even)
            }
            (Number::Decimal(value), _) => *value as u128,
            (Number::Real(text), InputKind::Float(format)) => floats::parse(format, text)?,
            (Number::Real(text), _) => {
                let bits = floats::parse(FloatKind::Double, text)?;
                floats::to_integer(FloatKind::Double, bits, 128, true)
            }
        }))
    }
}

/// Pseudo-random values from a seed: small ones, values at the borders of the type, uniform ones.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// Pointers are null or point to memory of their own; otherwise they are always null.
    pub pointers: bool,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), pointers: true }
    }

    /// SplitMix64.
    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    fn uniform(&mut self) -> u128 {
        (u128::from(self.bits()) << 64) | u128::from(self.bits())
    }

    fn integer(&mut self, width: u32, signed: bool) -> u128 {
        let border = 1u128 << (width - 1);
        match self.below(8) {
            0..=2 => u128::from(self.below(4)),
            3 => u128::from(self.below(256)),
            4 if signed => u128::from(self.below(8)).wrapping_neg(),
            5 => border.wrapping_add(u128::from(self.below(4))).wrapping_sub(2),
            6 => 1 << self.below(u64::from(width)),
            _ => self.uniform(),
        }
    }

    fn float(&mut self, format: FloatKind) -> u128 {
        const SPECIAL: [&str; 8] = ["0", "-0", "1", "-1", "inf", "-inf", "nan", "0.5"];
        match self.below(4) {
            0 => floats::parse(format, SPECIAL[self.below(8) as usize]).unwrap_or(0),
            1 => {
                let whole = self.below(2001) as i128 - 1000;
                floats::from_integer(format, whole as u128, true, Rounding::Even)
            }
            2 => floats::convert(
                FloatKind::Double,
                format,
                u128::from(((self.below(2_000_001) as f64 - 1e6) / 1024.0).to_bits()),
                Rounding::Even,
            ),
            // A random pattern could be no valid number in the 80-bit format.
            _ => floats::convert(FloatKind::Double, format, u128::from(self.bits()), Rounding::Even),
        }
    }
}

impl Inputs for Random {
    fn next(&mut self, request: &Request<'_>) -> Option<InputValue> {
        Some(match request.kind {
            InputKind::Bool => InputValue::Bits(u128::from(self.below(2))),
            InputKind::Integer { width, signed } => InputValue::Bits(self.integer(width, signed)),
            InputKind::Float(format) => InputValue::Bits(self.float(format)),
            InputKind::Pointer(size) if self.pointers && self.below(4) > 0 => {
                InputValue::Memory(Outside::zeros(size.unwrap_or(64)))
            }
            InputKind::Pointer(_) => InputValue::Bits(0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(list: &mut List, kind: InputKind) -> u128 {
        let request = Request { ty: TypeId::INT, kind, function: None, span: Span::NONE };
        match list.next(&request) {
            Some(InputValue::Bits(bits)) => bits,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn lists_hold_numbers_of_all_kinds() {
        let mut list = List::parse("7 -1 # two\n0xff 2.5\t3 0x4000000000000000").unwrap();
        let int = InputKind::Integer { width: 32, signed: true };
        let double = InputKind::Float(FloatKind::Double);
        assert_eq!(next(&mut list, int), 7);
        assert_eq!(next(&mut list, int) as i32, -1);
        assert_eq!(next(&mut list, int), 255);
        assert_eq!(next(&mut list, double) as u64, 2.5f64.to_bits());
        assert_eq!(next(&mut list, double) as u64, 3f64.to_bits());
        assert_eq!(next(&mut list, double) as u64, 2f64.to_bits());
        assert_eq!(List::parse("1\nx").unwrap_err().to_string(), "line 2: 'x' is not a number");
    }

    #[test]
    fn the_same_seed_gives_the_same_values() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..50).map(|_| random.integer(32, true)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
