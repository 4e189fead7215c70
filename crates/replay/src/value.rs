//! Values as C writes them.

use crate::code::Scalar;
use crate::floats::{self, Class};
use crate::library::Decimal;
use crate::machine::Machine;
use crate::memory::ObjectKind;
use sema::types::{FloatKind, IntKind, Type, TypeId};

/// A value and its text.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    pub ty: TypeId,
    /// `None` for records and arrays, and for what cannot be read.
    pub bits: Option<u128>,
    pub text: String,
}

impl Value {
    pub(crate) fn aggregate(ty: TypeId, size: usize) -> Self {
        Self { ty, bits: None, text: format!("{{{size} bytes}}") }
    }
}

impl Machine<'_> {
    /// A scalar, given by its bits.
    pub(crate) fn value(&self, ty: TypeId, bits: u128) -> Value {
        let types = &self.program.types;
        let text = match (types.get(ty), Scalar::of(types, ty)) {
            (Type::Pointer(_), _) => self.pointer(bits as u64),
            (Type::Int(IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar), _) => {
                character(bits as i8)
            }
            (_, Some(Scalar::Int(shape))) => shape.number(shape.canonical(bits as u64)).to_string(),
            (_, Some(Scalar::Wide { signed: true })) => (bits as i128).to_string(),
            (_, Some(Scalar::Wide { signed: false })) => bits.to_string(),
            (_, Some(Scalar::Float(format))) => float(format, bits),
            (_, None) => bits.to_string(),
        };
        Value { ty, bits: Some(bits), text }
    }

    /// `&object`, `&object + offset`, `NULL` or a number.
    pub(crate) fn pointer(&self, address: u64) -> String {
        let Some(id) = self.memory.owner(address) else {
            return if address == 0 { "NULL".into() } else { format!("{address:#x}") };
        };
        let object = self.memory.object(id);
        let name = self.name_of(id, 0);
        let name = match object.kind {
            ObjectKind::Function(_) => name,
            ObjectKind::String(_) => format!("{:?}", String::from_utf8_lossy(self.until_zero(&object.data))),
            _ => format!("&{name}"),
        };
        match address - object.address {
            0 => name,
            offset => format!("{name} + {offset}"),
        }
    }

    fn until_zero<'d>(&self, data: &'d [u8]) -> &'d [u8] {
        let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
        &data[..end.min(32)]
    }
}

fn character(value: i8) -> String {
    match value as u8 {
        byte @ (b' '..=b'~') => format!("{value} '{}'", char::from(byte).escape_default()),
        _ => value.to_string(),
    }
}

/// As few digits as tell it from its neighbours for `float` and `double`.
fn float(format: FloatKind, bits: u128) -> String {
    match format {
        FloatKind::Float => format!("{:?}", floats::f32_of(bits as u64)),
        FloatKind::Double => format!("{:?}", floats::f64_of(bits as u64)),
        _ => {
            let sign = if floats::is_negative(format, bits) { "-" } else { "" };
            let digits = if format == FloatKind::Quad { 36 } else { 21 };
            match floats::class(format, bits) {
                Class::Nan => "NaN".into(),
                Class::Infinite => format!("{sign}inf"),
                _ => {
                    let text = Decimal::new(floats::parts(format, bits)).general(digits, false, 'e');
                    format!("{sign}{text}")
                }
            }
        }
    }
}
