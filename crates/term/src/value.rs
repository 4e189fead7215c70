//! Values of terms of any sort.

use crate::array_value::ArrayValue;
use crate::bitvec::BitVec;
use crate::float::FloatValue;
use crate::sort::{FloatFormat, Sort};
use dashu::integer::IBig;
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

impl Value {
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::BitVec(value) => Sort::BitVec(value.width()),
            Value::Float(value) => Sort::Float(value.format()),
            Value::Array(value) => value.sort(),
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
    write!(f, "((as const {}) {})", value.sort(), value.default_value())?;
    value.entries().try_for_each(|(index, element)| write!(f, " {index} {element})"))
}
