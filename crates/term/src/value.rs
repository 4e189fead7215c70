//! Values of terms of any sort.

use crate::bitvec::BitVec;
use crate::float::FloatValue;
use crate::sort::{FloatFormat, Sort};
use dashu::integer::IBig;
use std::collections::BTreeMap;
use std::fmt;

/// The value of a term under an assignment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Bool(bool),
    BitVec(BitVec),
    Float(FloatValue),
    Array(ArrayValue),
    Int(IBig),
}

/// A total map: one default, and the places that differ from it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayValue {
    index: u32,
    default: BitVec,
    /// By index in big-endian form, for a fixed order. Never holds the default.
    entries: BTreeMap<Box<[u8]>, (BitVec, BitVec)>,
}

fn key(index: &BitVec) -> Box<[u8]> {
    let mut bytes = vec![0; (index.width() as usize).div_ceil(8)];
    let digits = index.to_big().to_be_bytes();
    let start = bytes.len() - digits.len();
    bytes[start..].copy_from_slice(&digits);
    bytes.into()
}

impl ArrayValue {
    /// The array with `default` at every index of `index` bits.
    pub fn new(index: u32, default: BitVec) -> Self {
        Self { index, default, entries: BTreeMap::new() }
    }

    pub fn index_width(&self) -> u32 {
        self.index
    }

    pub fn default_value(&self) -> &BitVec {
        &self.default
    }

    /// The places that differ from the default, by ascending index.
    pub fn entries(&self) -> impl Iterator<Item = &(BitVec, BitVec)> {
        self.entries.values()
    }

    pub fn select(&self, index: &BitVec) -> &BitVec {
        self.entries.get(&key(index)).map_or(&self.default, |(_, element)| element)
    }

    pub fn store(&mut self, index: BitVec, element: BitVec) {
        if element == self.default {
            self.entries.remove(&key(&index));
        } else {
            self.entries.insert(key(&index), (index, element));
        }
    }

    /// Whether the two maps agree everywhere. (Structural equality tells apart maps that have
    /// different defaults but entries for every index.)
    pub fn same_map(&self, other: &Self) -> bool {
        if self.default != other.default && !self.covered_with(other) {
            return false;
        }
        let indices = self.entries.values().chain(other.entries.values());
        indices.map(|(index, _)| index).all(|index| self.select(index) == other.select(index))
    }

    /// Whether every index has an entry in one of the two.
    fn covered_with(&self, other: &Self) -> bool {
        let extra = other.entries.keys().filter(|key| !self.entries.contains_key(*key)).count();
        let covered = (self.entries.len() + extra) as u64;
        self.index < 64 && covered >> self.index != 0
    }
}

impl Value {
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::BitVec(value) => Sort::BitVec(value.width()),
            Value::Float(value) => Sort::Float(value.format()),
            Value::Array(value) => Sort::Array { index: value.index, element: value.default.width() },
            Value::Int(_) => Sort::Int,
        }
    }

    /// Zero, false, the empty map: the value of variables that an assignment does not mention.
    pub fn default_of(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::BitVec(BitVec::zero(width)),
            Sort::Float(format) => Value::Float(FloatValue::zero(format, false)),
            Sort::Array { index, element } => Value::Array(ArrayValue::new(index, BitVec::zero(element))),
            Sort::Int => Value::Int(IBig::ZERO),
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_bitvec(&self) -> Option<&BitVec> {
        match self {
            Value::BitVec(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_float(&self) -> Option<&FloatValue> {
        match self {
            Value::Float(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<&IBig> {
        match self {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// A float from packed bits, or a bit-vector as it is.
    pub fn float_from_bits(format: FloatFormat, bits: BitVec) -> Self {
        Value::Float(FloatValue::from_bits(format, bits))
    }
}

/// As SMT-LIB 2 writes it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::BitVec(value) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value}"),
            Value::Array(value) => write_array(f, value),
            Value::Int(value) if *value < IBig::ZERO => write!(f, "(- {})", -value.clone()),
            Value::Int(value) => write!(f, "{value}"),
        }
    }
}

fn write_array(f: &mut fmt::Formatter<'_>, value: &ArrayValue) -> fmt::Result {
    for _ in value.entries() {
        f.write_str("(store ")?;
    }
    let sort = Sort::Array { index: value.index, element: value.default.width() };
    write!(f, "((as const {sort}) {})", value.default)?;
    value.entries().try_for_each(|(index, element)| write!(f, " {index} {element})"))
}
