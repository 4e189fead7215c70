//! Floats in memory: from terms of a float sort to bytes and back.

use sema::types::FloatKind;
use term::{FloatFormat, Sort, TermId, TermPool};

pub fn format(kind: FloatKind) -> FloatFormat {
    match kind {
        FloatKind::Half => FloatFormat::HALF,
        FloatKind::Float => FloatFormat::SINGLE,
        FloatKind::Double => FloatFormat::DOUBLE,
        FloatKind::LongDouble => FloatFormat::X87,
        FloatKind::Quad => FloatFormat::QUAD,
    }
}

/// Width of the representation in memory, without padding.
pub fn memory_width(format: FloatFormat) -> u32 {
    if format == FloatFormat::X87 { 80 } else { format.width() }
}

/// The bits as memory has them. The x87 format stores its integer bit, IEEE formats do not.
pub fn to_memory(pool: &mut TermPool, float: TermId) -> TermId {
    let Sort::Float(format) = pool.sort(float) else { return float };
    let bits = pool.float_to_bits(float);
    if format != FloatFormat::X87 {
        return bits;
    }
    let head = pool.extract(bits, 78, 63);
    let exponent = pool.extract(bits, 77, 63);
    let fraction = pool.extract(bits, 62, 0);
    let zero = pool.bitvec(15, 0);
    let subnormal = pool.eq(exponent, zero);
    let normal = pool.not(subnormal);
    let integer = pool.bool_to_bitvec(normal, 1);
    let significand = pool.concat(integer, fraction);
    pool.concat(head, significand)
}

/// The float that the low bits of `bits` represent.
pub fn from_memory(pool: &mut TermPool, bits: TermId, format: FloatFormat) -> TermId {
    if format != FloatFormat::X87 {
        let bits = pool.resize_unsigned(bits, format.width());
        return pool.float_from_bits(format, bits);
    }
    let head = pool.extract(bits, 79, 64);
    let fraction = pool.extract(bits, 62, 0);
    let packed = pool.concat(head, fraction);
    pool.float_from_bits(format, packed)
}
